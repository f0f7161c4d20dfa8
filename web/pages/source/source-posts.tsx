// The newest posts of a source.
import type { Page, PostView, SourceView } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import type { Podcast } from '../../frame/podcasts.ts'
import { PostLinks } from '../../parts/post-links.tsx'
import { Empty, Region } from '../../parts/small.tsx'

export function SourcePosts({ podcast, source }: { readonly podcast: Podcast; readonly source: SourceView }) {
  const id = encodeURIComponent(source.id)
  const { data } = useAnswer<Page<PostView>>(`${podcast.path}/posts?source=${id}&limit=10`, {
    when: ({ type, sourceId }) => type === 'posts.created' && sourceId === source.id,
  })
  return (
    <Region title="Newest posts" actions={<a href={`/posts?source=${id}`}>All posts</a>}>
      {data?.items.length === 0 && <Empty>No posts yet.</Empty>}
      <PostLinks posts={data?.items ?? []} />
    </Region>
  )
}
