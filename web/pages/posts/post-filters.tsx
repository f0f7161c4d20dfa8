// The filters of the reading list.
import type { Page, PostView, SourceView } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import type { Podcast } from '../../frame/podcasts.ts'
import { setQuery } from '../../frame/router.ts'
import { SearchField } from '../../parts/search-field.tsx'
import { nameOf } from '../../parts/small.tsx'
import { LanguageFilter } from './language-filter.tsx'

export interface PostFilter {
  readonly q: string | null
  readonly source: string | null
  readonly since: string | null
  readonly language: string | null
}

interface Props {
  readonly podcast: Podcast
  readonly filter: PostFilter
  /** The languages to choose from are those of the sources, and of the posts that are here. */
  readonly posts: readonly PostView[]
}

export function PostFilters({ podcast, filter, posts }: Props) {
  const { data } = useAnswer<Page<SourceView>>(`${podcast.path}/sources?limit=500&sort=title`)
  const sources = data?.items ?? []
  // The chosen one may be beyond the sources that fit a list.
  const isListed = filter.source === null || sources.some(({ id }) => id === filter.source)
  const chosen = useAnswer<SourceView>(
    data && !isListed ? `${podcast.path}/sources/${encodeURIComponent(filter.source ?? '')}` : null,
  )
  const shown = chosen.data && !isListed ? [chosen.data, ...sources] : sources
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
          {shown.map((source) => (
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
      <LanguageFilter chosen={filter.language} stated={[...sources, ...posts]} />
    </search>
  )
}
