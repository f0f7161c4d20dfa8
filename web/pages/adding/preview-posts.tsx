// What a first poll would store, and what it would leave out.
import type { PreviewView } from '../../api/types.ts'
import { When } from '../../parts/time.tsx'

const SHOWN = 6

export function PreviewPosts({ found: { posts, dropped } }: { readonly found: PreviewView }) {
  return (
    <div class="preview">
      <h3>{posts.length === 0 ? 'No posts to store now' : `The first poll stores ${posts.length} posts`}</h3>
      <ul>
        {posts.slice(0, SHOWN).map((post) => (
          <li key={post.contentHash}>
            <bdi>{post.title}</bdi> <When at={post.publishedAt} none="" />
          </li>
        ))}
      </ul>
      {dropped.length > 0 && (
        <p class="hint">
          {dropped.length} left out: {rulesOf(dropped)}.
        </p>
      )}
    </div>
  )
}

function rulesOf(dropped: PreviewView['dropped']): string {
  const byRule = Map.groupBy(dropped, ({ rule }) => rule)
  return [...byRule].map(([rule, of]) => `${of.length} ${rule}`).join(', ')
}
