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
  useEffect(() => {
    setText(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
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
        timer.current = setTimeout(() => onSearch(typed.trim()), PAUSE_MS)
      }}
    />
  )
}
