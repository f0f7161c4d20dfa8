// The language of the posts that are shown: one that sources or posts state, or any other by its tag, such as pt-BR.
import { useState } from 'preact/hooks'
import { setQuery } from '../../frame/router.ts'

interface Props {
  readonly chosen: string | null
  readonly stated: readonly { readonly language?: string | null }[]
}

const OTHER = 'other'
const names = new Intl.DisplayNames('en', { type: 'language' })

export function LanguageFilter({ chosen, stated }: Props) {
  const [isTyping, setTyping] = useState(false)
  const choose = (value: string) => {
    setTyping(value === OTHER)
    if (value !== OTHER) setQuery({ language: value })
  }
  return (
    <>
      <label class="inline">
        Language
        <select value={isTyping ? OTHER : (chosen ?? '')} onChange={(event) => choose(event.currentTarget.value)}>
          <option value="">Any</option>
          {languagesOf(stated, chosen).map((language) => (
            <option key={language} value={language}>
              {nameOfLanguage(language)}
            </option>
          ))}
          <option value={OTHER}>Other…</option>
        </select>
      </label>
      {isTyping && <TagField onTag={choose} />}
    </>
  )
}

function TagField({ onTag }: { onTag(tag: string): void }) {
  return (
    <label class="inline">
      Language tag
      <input
        class="tag"
        placeholder="pt-BR"
        autocomplete="off"
        spellcheck={false}
        ref={(field) => field?.focus()}
        onChange={(event) => {
          const field = event.currentTarget
          const tag = canonical(field.value.trim())
          field.setCustomValidity(tag === null ? 'Give a language tag, such as pt, pt-BR or zh-Hant.' : '')
          if (tag === null) field.reportValidity()
          else onTag(tag)
        }}
      />
    </label>
  )
}

/** null: it is no language tag. */
function canonical(text: string): string | null {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null
  } catch {
    return null
  }
}

function languagesOf(all: Props['stated'], chosen: string | null): string[] {
  const stated = all.map(({ language }) => (language ?? '').split('-')[0] ?? '')
  const named = [...new Set([...stated, chosen ?? ''])].filter((language) => language !== '')
  return named.sort((a, b) => nameOfLanguage(a).localeCompare(nameOfLanguage(b)))
}

function nameOfLanguage(language: string): string {
  try {
    return names.of(language) ?? language
  } catch {
    return language
  }
}
