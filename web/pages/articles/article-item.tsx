// One article, with the posts behind it.
import { useState } from 'preact/hooks'
import type { ArticleView, ArticleWithPostsView } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { PostLinks } from '../../parts/post-links.tsx'
import { Outside, Trouble } from '../../parts/small.tsx'
import { count, When } from '../../parts/time.tsx'
import { beginningOf } from '../posts/highlight.tsx'

interface Props {
  readonly article: ArticleView
  readonly path: string
  readonly isSelected: boolean
  onSelect(isOn: boolean): void
}

export function ArticleItem({ article, path, isSelected, onSelect }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li class={isSelected ? 'selected' : ''}>
      <input
        type="checkbox"
        aria-label={`Select ${article.title}`}
        checked={isSelected}
        onChange={(event) => onSelect(event.currentTarget.checked)}
      />
      <div>
        <h2 dir="auto">
          <Outside url={article.url}>{article.title}</Outside>
        </h2>
        <p class="meta">
          <span class={`health ${article.isProcessed ? 'ok' : 'new'}`}>
            {article.isProcessed ? 'processed' : 'to do'}
          </span>
          {article.author && <bdi>{article.author}</bdi>}
          <When at={article.publishedAt ?? article.createdAt} />
        </p>
        <p class="excerpt" dir="auto">
          {beginningOf(article.body)}
        </p>
        <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {count(article.postIds.length, 'post')} behind it
        </button>
        {isOpen && <PostsBehind path={`${path}/${encodeURIComponent(article.id)}`} />}
      </div>
    </li>
  )
}

function PostsBehind({ path }: { readonly path: string }) {
  const { data, problem } = useAnswer<ArticleWithPostsView>(path)
  return (
    <>
      <Trouble problem={problem} />
      <PostLinks posts={data?.posts ?? []} />
    </>
  )
}
