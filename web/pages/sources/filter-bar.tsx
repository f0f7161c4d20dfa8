// The filters of the list of sources. They stand in the address of the page, so that a link keeps them.
import { BUILT_IN_TYPES } from '../../../src/domain/built-in-types.ts'
import { SOURCE_HEALTHS } from '../../../src/domain/health.ts'
import { setQuery } from '../../frame/router.ts'
import { SearchField } from '../../parts/search-field.tsx'

export interface SourceFilter {
  readonly q: string | null
  readonly health: string | null
  readonly type: string | null
  readonly host: string | null
}

export function FilterBar({ filter }: { readonly filter: SourceFilter }) {
  return (
    <search class="filters">
      <SearchField value={filter.q ?? ''} placeholder="Title or address" onSearch={(q) => setQuery({ q })} />
      <Choice name="Health" any="Any health" value={filter.health} choices={SOURCE_HEALTHS} query="health" />
      <Choice name="Type" any="Any type" value={filter.type} choices={BUILT_IN_TYPES.names} query="type" />
      {filter.host && (
        <button type="button" class="chip" onClick={() => setQuery({ host: null })}>
          {filter.host} ✕
        </button>
      )}
    </search>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly any: string
  readonly value: string | null
  readonly choices: readonly string[]
  readonly query: string
}

function Choice({ name, any, value, choices, query }: ChoiceProps) {
  return (
    <select
      aria-label={name}
      value={value ?? ''}
      onChange={(event) => setQuery({ [query]: event.currentTarget.value || null })}
    >
      <option value="">{any}</option>
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </select>
  )
}
