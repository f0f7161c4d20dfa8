// Articles: what a consumer reads. They are made from posts, listed, and marked when they were processed.
import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { ArticleView } from '../../api/types.ts'
import { tell } from '../../frame/notices.tsx'
import type { Podcast } from '../../frame/podcasts.ts'
import { setQuery, usePlaceOnPage } from '../../frame/router.ts'
import { ActionButton, tellProblem } from '../../parts/action.tsx'
import { EmptyPage, Trouble } from '../../parts/small.tsx'
import { count } from '../../parts/time.tsx'
import { usePages } from '../../parts/use-pages.ts'
import { ArticleItem } from './article-item.tsx'

interface Made {
  readonly created: readonly ArticleView[]
  readonly waiting?: number
}

type Mark = 'processed' | 'unprocessed'

export function ArticlesPage({ podcast }: { readonly podcast: Podcast }) {
  const { query } = usePlaceOnPage()
  const processed = query.get('processed')
  const path = `${podcast.path}/articles`
  const pages = usePages<ArticleView>(path, { processed, limit: 50 })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const chosen = pages.items.filter(({ id }) => selected.has(id))
  const make = async () => {
    const { created, waiting = 0 } = await call<Made>('POST', path, {})
    const late = waiting > 0 ? ` ${count(waiting, 'post')} still wait for the full text.` : ''
    tell('good', `${count(created.length, 'new article')}.${late}`)
    await pages.reload()
  }
  const mark = async (as: Mark, ids: readonly string[]) => {
    await call('POST', `${path}/${as}`, { ids })
    setSelected(new Set())
    await pages.readAgain()
    const back = as === 'processed' ? 'unprocessed' : 'processed'
    const close = tell('good', `Marked ${count(ids.length, 'article')} as ${as}.`, {
      action: { name: 'Undo', run: () => void mark(back, ids).then(close, tellProblem) },
    })
  }
  const markChosen = (as: Mark) => () =>
    mark(
      as,
      chosen.map(({ id }) => id),
    )
  const isAll = pages.items.length > 0 && chosen.length === pages.items.length
  return (
    <>
      <div class="page-head">
        <h1>Articles</h1>
        <ActionButton work={make} class="primary">
          Make articles
        </ActionButton>
      </div>
      <div class="bulk" role="toolbar" aria-label="Selected articles">
        <label>
          <input
            type="checkbox"
            checked={isAll}
            disabled={pages.items.length === 0}
            onChange={(event) =>
              setSelected(new Set(event.currentTarget.checked ? pages.items.map(({ id }) => id) : []))
            }
          />
          Select all
        </label>
        <ActionButton work={markChosen('processed')} isDisabled={chosen.length === 0}>
          Mark processed
        </ActionButton>
        <ActionButton work={markChosen('unprocessed')} isDisabled={chosen.length === 0}>
          Mark as not processed
        </ActionButton>
        <select
          aria-label="Show"
          value={processed ?? ''}
          onChange={(event) => setQuery({ processed: event.currentTarget.value })}
        >
          <option value="">All articles</option>
          <option value="false">To do</option>
          <option value="true">Processed</option>
        </select>
      </div>
      <Trouble problem={pages.problem} />
      {pages.isLoading && pages.items.length === 0 && <p class="loading">Loading</p>}
      {!pages.isLoading && pages.items.length === 0 && !pages.problem && (
        <EmptyPage title={processed === null ? 'No articles yet' : 'No articles here'}>
          <p>"Make articles" turns the posts that came in into articles for whatever reads them.</p>
        </EmptyPage>
      )}
      <ul class="articles" aria-label="Articles">
        {pages.items.map((article) => (
          <ArticleItem
            key={article.id}
            {...{ article, path }}
            isSelected={selected.has(article.id)}
            onSelect={(isOn) => {
              const next = new Set(selected)
              if (isOn) next.add(article.id)
              else next.delete(article.id)
              setSelected(next)
            }}
          />
        ))}
      </ul>
      {pages.hasMore && (
        <button type="button" onClick={pages.loadMore} aria-busy={pages.isLoading}>
          Show more
        </button>
      )}
    </>
  )
}
