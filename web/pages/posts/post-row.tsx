// One post in the reading list.
import type { PostView } from '../../api/types.ts'
import { When } from '../../parts/time.tsx'
import { excerptOf, Highlighted, wordsOf } from './highlight.tsx'

interface Props {
  readonly post: PostView
  readonly query: string
  readonly height: number
}

export function PostRow({ post, query, height }: Props) {
  const words = wordsOf(query)
  return (
    <li style={{ height: `${height}px` }}>
      <p class="meta">
        <bdi>{post.sourceTitle ?? hostOf(post.url)}</bdi>
        {post.author && <bdi>{post.author}</bdi>}
        <When at={post.publishedAt ?? post.createdAt} />
      </p>
      <a href={postAddress(post.id, query)} dir="auto" lang={post.language ?? undefined} class="post-title">
        <Highlighted text={post.title} words={words} />
      </a>
      <p class="excerpt" dir="auto">
        <Highlighted text={excerptOf(post.body, words)} words={words} />
      </p>
    </li>
  )
}

/** With the search, so that its hits are marked there too. */
export function postAddress(id: string, query: string): string {
  return `/posts/${encodeURIComponent(id)}${query ? `?${new URLSearchParams({ q: query })}` : ''}`
}

export function hostOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/^www\./, '') ?? ''
}
