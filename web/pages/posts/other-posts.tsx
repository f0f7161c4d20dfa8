// The posts before and after this one in the list that it was opened from, so that reading goes on without going back.
import { useMemo } from 'preact/hooks'
import type { PostView } from '../../api/types.ts'
import { neighboursOf } from '../../parts/use-pages.ts'
import { postAddress } from './post-row.tsx'

export function OtherPosts({ id, query }: { readonly id: string; readonly query: string }) {
  const { before, after } = useMemo(() => neighboursOf<PostView>(id), [id])
  if (!before && !after) return null
  return (
    <nav class="other-posts" aria-label="Other posts">
      {before && <OtherPost post={before} query={query} name="Newer" />}
      {after && <OtherPost post={after} query={query} name="Older" />}
    </nav>
  )
}

interface Props {
  readonly post: PostView
  readonly query: string
  readonly name: 'Newer' | 'Older'
}

function OtherPost({ post, query, name }: Props) {
  return (
    <a class={name.toLowerCase()} href={postAddress(post.id, query)}>
      <span class="soft">{name}</span>
      <bdi lang={post.language ?? undefined}>{post.title}</bdi>
    </a>
  )
}
