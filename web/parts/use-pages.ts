// A long list, read page by page as somebody scrolls. Single items are replaced in place when they change.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type ApiProblem, call, withQuery } from '../api/call.ts'
import { onChangeInOtherTab } from '../api/other-tabs.ts'
import type { Page } from '../api/types.ts'
import { asProblem } from '../api/use-answer.ts'
import { reportProblem, reportReached } from '../frame/connection.ts'

type Query = Readonly<Record<string, string | number | null | undefined>>

export interface Pages<T> {
  readonly items: readonly T[]
  readonly problem: ApiProblem | null
  readonly isLoading: boolean
  readonly hasMore: boolean
  loadMore(): void
  reload(): Promise<void>
  /** Changes the items that are shown, not the ones on the server. */
  change(edit: (items: readonly T[]) => readonly T[]): void
}

interface Loaded<T> {
  readonly key: string
  readonly items: readonly T[]
  readonly nextCursor: string | null
  readonly problem: ApiProblem | null
  readonly isLoading: boolean
}

/** The list that was shown last: the Back button shows it at once. It is read again all the same. */
let lastShown: Loaded<unknown> | null = null

export function usePages<T extends { readonly id: string }>(path: string, query: Query = {}): Pages<T> {
  const key = withQuery(path, query)
  const [, rerender] = useState({})
  const loaded = useRef<Loaded<T>>(
    lastShown?.key === key
      ? (lastShown as Loaded<T>)
      : { key: '', items: [], nextCursor: null, problem: null, isLoading: true },
  )
  /** How often the first page was asked for: an answer that was overtaken by a later one is old. */
  const firstReads = useRef(0)
  const set = useCallback((next: Loaded<T>) => {
    loaded.current = next
    lastShown = next
    rerender({})
  }, [])

  const read = useCallback(
    async (cursor: string | null, how: 'anew' | 'shown again' = 'anew') => {
      const before = loaded.current
      const turn = cursor === null ? ++firstReads.current : firstReads.current
      if (cursor !== null || before.key !== key) loaded.current = { ...before, key, isLoading: true }
      try {
        const page = await call<Page<T>>('GET', cursor === null ? key : withCursor(key, cursor))
        reportReached()
        if (loaded.current.key !== key || turn !== firstReads.current) return
        const { items } = loaded.current
        const now =
          how === 'shown again'
            ? withRest(loaded.current, page)
            : { ...page, items: cursor === null ? page.items : [...items, ...page.items] }
        set({ key, items: now.items, nextCursor: now.nextCursor, problem: null, isLoading: false })
      } catch (error) {
        const problem = asProblem(error)
        reportProblem(problem)
        if (loaded.current.key === key) set({ ...loaded.current, problem, isLoading: false })
      }
    },
    [key, set],
  )

  useEffect(() => {
    void read(null, loaded.current.key === key ? 'shown again' : 'anew')
  }, [read])

  useEffect(() => onChangeInOtherTab(() => void read(null, 'shown again')), [read])

  const { items, nextCursor, problem, isLoading } = loaded.current
  return {
    ...{ items, problem, isLoading, hasMore: nextCursor !== null },
    loadMore() {
      if (!loaded.current.isLoading && loaded.current.nextCursor !== null) void read(loaded.current.nextCursor)
    },
    reload: () => read(null),
    change: (edit) => set({ ...loaded.current, items: edit(loaded.current.items) }),
  }
}

/** A list that is shown again keeps its further pages, as long as the first one still leads to them. */
function withRest<T extends { readonly id: string }>(before: Loaded<T>, page: Page<T>): Page<T> {
  const last = before.items.findIndex(({ id }) => id === page.items.at(-1)?.id)
  if (last < 0 || last === before.items.length - 1) return page
  return { items: [...page.items, ...before.items.slice(last + 1)], nextCursor: before.nextCursor }
}

function withCursor(key: string, cursor: string): string {
  return `${key}${key.includes('?') ? '&' : '?'}${new URLSearchParams({ cursor })}`
}
