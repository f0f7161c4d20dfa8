// A short list of posts, each a link to its page.
import type { PostView } from '../api/types.ts'
import { When } from './time.tsx'

type Linked = Pick<PostView, 'id' | 'title' | 'publishedAt' | 'createdAt'>

export function PostLinks({ posts }: { readonly posts: readonly Linked[] }) {
  return (
    <ul class="plain-list">
      {posts.map((post) => (
        <li key={post.id}>
          <a href={`/posts/${encodeURIComponent(post.id)}`} dir="auto">
            {post.title}
          </a>{' '}
          <span class="soft">
            <When at={post.publishedAt ?? post.createdAt} />
          </span>
        </li>
      ))}
    </ul>
  )
}
