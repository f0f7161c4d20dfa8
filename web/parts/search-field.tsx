// A search field that searches while somebody types, but not at every letter.
import { useEffect, useRef, useState } from 'preact/hooks'

interface Props {
  readonly value: string
  readonly placeholder: string
  readonly label?: string
  onSearch(text: string): void
}

const PAUSE_MS = 250

export function SearchField({ value, placeholder, label = 'Search', onSearch }: Props) {
  const [text, setText] = useState(value)
  const timer = useRef(0)
  const searched = useRef(value)
  useEffect(() => {
    // What comes back from a search is not as it was typed, and may be older than what stands in the field by now.
    if (value === searched.current) return
    searched.current = value
    setText(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  const search = (typed: string) => {
    searched.current = typed.trim()
    onSearch(searched.current)
  }
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={text}
      onInput={(event) => {
        const typed = event.currentTarget.value
        setText(typed)
        clearTimeout(timer.current)
        timer.current = setTimeout(search, PAUSE_MS, typed)
      }}
    />
  )
}
