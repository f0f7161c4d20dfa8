// The filters of the reading list.
import type { Page, PostView, SourceView } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import type { Podcast } from '../../frame/podcasts.ts'
import { setQuery } from '../../frame/router.ts'
import { SearchField } from '../../parts/search-field.tsx'
import { nameOf } from '../../parts/small.tsx'

interface Props {
  readonly podcast: Podcast
  readonly filter: {
    readonly q: string | null
    readonly source: string | null
    readonly since: string | null
    readonly language: string | null
  }
  /** The languages to choose from are those of the posts that are here. */
  readonly posts: readonly PostView[]
}

const names = new Intl.DisplayNames('en', { type: 'language' })

export function PostFilters({ podcast, filter, posts }: Props) {
  const { data } = useAnswer<Page<SourceView>>(`${podcast.path}/sources?limit=500`)
  const sources = [...(data?.items ?? [])].sort((a, b) => nameOf(a).localeCompare(nameOf(b)))
  const languages = languagesOf(posts, filter.language)
  return (
    <search class="filters">
      <SearchField
        value={filter.q ?? ''}
        placeholder="Words, &quot;a phrase&quot;, -without"
        onSearch={(q) => setQuery({ q })}
      />
      <label class="inline">
        Source
        <select value={filter.source ?? ''} onChange={(event) => setQuery({ source: event.currentTarget.value })}>
          <option value="">All sources</option>
          {sources.map((source) => (
            <option key={source.id} value={source.id} dir="auto">
              {nameOf(source)}
            </option>
          ))}
        </select>
      </label>
      <label class="inline">
        Since
        <input
          type="date"
          value={filter.since?.slice(0, 10) ?? ''}
          onChange={(event) => setQuery({ since: event.currentTarget.value })}
        />
      </label>
      <label class="inline">
        Language
        <select value={filter.language ?? ''} onChange={(event) => setQuery({ language: event.currentTarget.value })}>
          <option value="">Any</option>
          {languages.map((language) => (
            <option key={language} value={language}>
              {nameOfLanguage(language)}
            </option>
          ))}
        </select>
      </label>
    </search>
  )
}

function languagesOf(posts: readonly PostView[], chosen: string | null): string[] {
  const stated = posts.map(({ language }) => (language ?? '').toLowerCase().split('-')[0] ?? '')
  return [...new Set([...stated, chosen ?? ''])].filter((language) => language !== '').sort()
}

function nameOfLanguage(language: string): string {
  try {
    return names.of(language) ?? language
  } catch {
    return language
  }
}
