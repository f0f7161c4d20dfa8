// The reading list: posts newest first, searched and filtered.
import { useEffect, useRef, useState } from 'preact/hooks'
import { onEvent } from '../../api/live.ts'
import type { PostView } from '../../api/types.ts'
import type { Podcast } from '../../frame/podcasts.ts'
import { usePlaceOnPage } from '../../frame/router.ts'
import { Empty, EmptyPage, Trouble } from '../../parts/small.tsx'
import { count } from '../../parts/time.tsx'
import { useIsNarrow } from '../../parts/use-narrow.ts'
import { usePages } from '../../parts/use-pages.ts'
import { useVirtual } from '../../parts/use-virtual.ts'
import { type PostFilter, PostFilters } from './post-filters.tsx'
import { PostRow } from './post-row.tsx'

const WIDE_ROW = 96
/** On a phone a title has two lines. */
const NARROW_ROW = 120

export function PostsPage({ podcast }: { readonly podcast: Podcast }) {
  const { query } = usePlaceOnPage()
  const filter: PostFilter = {
    ...{ q: query.get('q'), source: query.get('source') },
    ...{ since: query.get('since'), language: query.get('language') },
  }
  const pages = usePages<PostView>(`${podcast.path}/posts`, { ...filter, limit: 100 })
  const posts = pages.items
  const [arrived, setArrived] = useState(0)
  useEffect(() => {
    setArrived(0)
    return onEvent(({ type, podcastId, count: created = 0 }) => {
      if (type === 'posts.created' && podcastId === podcast.id) setArrived((before) => before + created)
    })
  }, [podcast.id, filter.q, filter.source, filter.since, filter.language])
  const showArrived = async () => {
    await pages.reload()
    // Others may have arrived while the list was read.
    setArrived((now) => Math.max(0, now - arrived))
  }
  return (
    <>
      <div class="page-head">
        <h1>Posts</h1>
        {arrived > 0 && (
          <button type="button" class="primary" onClick={() => void showArrived()}>
            Show {count(arrived, 'new post')}
          </button>
        )}
      </div>
      <PostFilters podcast={podcast} filter={filter} posts={posts} />
      <Trouble problem={pages.problem} />
      {pages.isLoading && posts.length === 0 && <p class="loading">Loading</p>}
      {!pages.isLoading && posts.length === 0 && !pages.hasMore && !pages.problem && (
        <NoPosts isFiltered={Object.values(filter).some((value) => value !== null)} />
      )}
      <PostList
        {...{ posts, query: filter.q ?? '', hasMore: pages.hasMore, timesRead: pages.timesRead() }}
        onNearEnd={pages.loadMore}
      />
    </>
  )
}

function NoPosts({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <Empty>No posts match. What the next polls bring appears here.</Empty>
  return (
    <EmptyPage title="Nothing to read yet">
      <p>Posts appear here as soon as a source is polled.</p>
      <a class="button primary" href="/sources?add=1">
        Add source
      </a>
    </EmptyPage>
  )
}

interface ListProps {
  readonly posts: readonly PostView[]
  readonly query: string
  readonly hasMore: boolean
  readonly timesRead: number
  onNearEnd(): void
}

function PostList({ posts, query, hasMore, timesRead, onNearEnd }: ListProps) {
  const list = useRef<HTMLUListElement>(null)
  const rowHeight = useIsNarrow() ? NARROW_ROW : WIDE_ROW
  const { rows, heightBefore, heightAfter } = useVirtual({ count: posts.length, rowHeight, list })
  const last = rows.at(-1)?.index ?? 0
  const wantsMore = hasMore && last >= posts.length - 20
  // Each page leads to the next one: of a search that takes long, some pages have few posts or none. A list that was read
  // again may end where it did before, and what was asked for meanwhile is not shown.
  useEffect(() => {
    if (wantsMore) onNearEnd()
  }, [wantsMore, timesRead])
  return (
    <>
      <ul
        ref={list}
        class="posts"
        aria-label="Posts"
        style={{ paddingTop: `${heightBefore}px`, paddingBottom: `${heightAfter}px` }}
      >
        {rows.map(({ index }) => {
          const post = posts[index]
          return post && <PostRow key={post.id} post={post} query={query} height={rowHeight} />
        })}
      </ul>
      {wantsMore && query !== '' && (
        <p class="loading">
          <output>Searching older posts</output>
        </p>
      )}
    </>
  )
}
