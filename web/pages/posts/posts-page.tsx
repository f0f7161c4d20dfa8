// The reading list: posts newest first, searched and filtered.
import { useEffect, useRef, useState } from 'preact/hooks'
import { onEvent } from '../../api/live.ts'
import type { PostView } from '../../api/types.ts'
import type { Podcast } from '../../frame/podcasts.ts'
import { usePlaceOnPage } from '../../frame/router.ts'
import { Empty, Trouble } from '../../parts/small.tsx'
import { count } from '../../parts/time.tsx'
import { usePages } from '../../parts/use-pages.ts'
import { useVirtual } from '../../parts/use-virtual.ts'
import { PostFilters } from './post-filters.tsx'
import { PostRow } from './post-row.tsx'

const ROW_HEIGHT = 96
const FAR = 2000

export function PostsPage({ podcast }: { readonly podcast: Podcast }) {
  const { query } = usePlaceOnPage()
  const filter = { q: query.get('q'), source: query.get('source'), since: query.get('since') }
  const language = query.get('language')
  const pages = usePages<PostView>(`${podcast.path}/posts`, { ...filter, limit: 100 })
  const posts = language ? pages.items.filter((post) => isIn(post, language)) : pages.items
  // The server does not filter by language, so a rare one is not looked for through everything unasked.
  const isFar = language !== null && pages.items.length >= FAR && posts.length < pages.items.length / 20
  const [arrived, setArrived] = useState(0)
  useEffect(() => {
    setArrived(0)
    return onEvent(({ type, podcastId, count: created = 0 }) => {
      if (type === 'posts.created' && podcastId === podcast.id) setArrived((before) => before + created)
    })
  }, [podcast.id, filter.q, filter.source, filter.since])
  return (
    <>
      <div class="page-head">
        <h1>Posts</h1>
        {arrived > 0 && (
          <button type="button" class="primary" onClick={() => void pages.reload().then(() => setArrived(0))}>
            Show {count(arrived, 'new post')}
          </button>
        )}
      </div>
      <PostFilters podcast={podcast} filter={{ ...filter, language }} posts={pages.items} />
      <Trouble problem={pages.problem} />
      {pages.isLoading && posts.length === 0 && <p class="loading">Loading</p>}
      {!pages.isLoading && posts.length === 0 && !pages.hasMore && !pages.problem && (
        <Empty>No posts match. What the next polls bring appears here.</Empty>
      )}
      <PostList posts={posts} query={filter.q ?? ''} hasMore={pages.hasMore && !isFar} onNearEnd={pages.loadMore} />
      {isFar && pages.hasMore && (
        <p class="actions">
          <span class="soft">{count(pages.items.length, 'post')} looked through.</span>
          <button type="button" aria-busy={pages.isLoading} onClick={pages.loadMore}>
            Look further back
          </button>
        </p>
      )}
    </>
  )
}

function isIn(post: PostView, language: string): boolean {
  return (post.language ?? '').toLowerCase().split('-')[0] === language
}

interface ListProps {
  readonly posts: readonly PostView[]
  readonly query: string
  readonly hasMore: boolean
  onNearEnd(): void
}

function PostList({ posts, query, hasMore, onNearEnd }: ListProps) {
  const list = useRef<HTMLUListElement>(null)
  const { rows, heightBefore, heightAfter } = useVirtual({ count: posts.length, rowHeight: ROW_HEIGHT, list })
  const last = rows.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && last >= posts.length - 20) onNearEnd()
  }, [last, posts.length, hasMore])
  return (
    <ul
      ref={list}
      class="posts"
      aria-label="Posts"
      style={{ paddingTop: `${heightBefore}px`, paddingBottom: `${heightAfter}px` }}
    >
      {rows.map(({ index }) => {
        const post = posts[index]
        return post && <PostRow key={post.id} post={post} query={query} height={ROW_HEIGHT} />
      })}
    </ul>
  )
}
