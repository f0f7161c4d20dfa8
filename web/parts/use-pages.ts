// A long list, read page by page as somebody scrolls. Single items are replaced in place when they change. An answer that
// was overtaken by the one to a later request is old, and is not shown.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type ApiProblem, call, withQuery } from '../api/call.ts'
import { onChangeInOtherTab } from '../api/other-tabs.ts'
import { useTryAgain } from '../api/try-again.ts'
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
  /** Begins at the first page again. */
  reload(): Promise<void>
  /** Reads again what is shown, so that nobody who scrolled down loses their place. */
  readAgain(): Promise<void>
  /** How often the list was read, by now. */
  timesRead(): number
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

export function forgetPages(): void {
  lastShown = null
}

/** What stood before and after this item in the list that was shown last. */
export function neighboursOf<T extends { readonly id: string }>(id: string): { before: T | null; after: T | null } {
  const items = (lastShown?.items ?? []) as readonly T[]
  const at = items.findIndex((item) => item.id === id)
  return at < 0 ? { before: null, after: null } : { before: items[at - 1] ?? null, after: items[at + 1] ?? null }
}

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
  const timesRead = useRef(0)
  const set = useCallback((next: Loaded<T>) => {
    loaded.current = next
    lastShown = next
    rerender({})
  }, [])

  const attempt = useCallback(
    async (turn: number, read: () => Promise<Page<T>>) => {
      const isOld = () => loaded.current.key !== key || turn !== firstReads.current
      try {
        const { items, nextCursor } = await read()
        reportReached()
        if (isOld()) return
        timesRead.current++
        set({ key, items, nextCursor, problem: null, isLoading: false })
      } catch (error) {
        const problem = asProblem(error)
        reportProblem(problem)
        if (!isOld()) set({ ...loaded.current, problem, isLoading: false })
      }
    },
    [key, set],
  )

  const readFirst = useCallback(
    (how: (shown: Loaded<T>) => Promise<Page<T>>) => {
      if (loaded.current.key !== key) loaded.current = { ...loaded.current, key, isLoading: true }
      return attempt(++firstReads.current, () => how(loaded.current))
    },
    [key, attempt],
  )
  const reload = useCallback(() => readFirst(() => call<Page<T>>('GET', key)), [key, readFirst])
  const readAgain = useCallback(() => readFirst((shown) => readAsMany(key, shown.items.length)), [key, readFirst])
  const showAgain = useCallback(
    () => readFirst(async () => withRest(await call<Page<T>>('GET', key), () => loaded.current)),
    [key, readFirst],
  )

  useEffect(() => {
    void (loaded.current.key === key ? showAgain() : reload())
  }, [key, showAgain, reload])

  useEffect(() => onChangeInOtherTab(() => void showAgain()), [showAgain])

  const { items, nextCursor, problem, isLoading } = loaded.current
  useTryAgain(problem, showAgain)
  return {
    ...{ items, problem, isLoading, hasMore: nextCursor !== null, reload, readAgain },
    loadMore() {
      const cursor = loaded.current.nextCursor
      if (loaded.current.isLoading || cursor === null) return
      loaded.current = { ...loaded.current, isLoading: true }
      void attempt(firstReads.current, async () => {
        const page = await call<Page<T>>('GET', withCursor(key, cursor))
        return { ...page, items: [...loaded.current.items, ...page.items] }
      })
    },
    timesRead: () => timesRead.current,
    change: (edit) => set({ ...loaded.current, items: edit(loaded.current.items) }),
  }
}

const MOST_AT_ONCE = 500
const MOST_AGAIN = 2000

/** From the beginning, until there are about as many as before. */
async function readAsMany<T>(key: string, shown: number): Promise<Page<T>> {
  const wanted = Math.min(shown, MOST_AGAIN)
  const [path, text] = key.split('?')
  const query = new URLSearchParams(text)
  const usual = Number(query.get('limit') ?? MOST_AT_ONCE)
  const items: T[] = []
  let cursor: string | null = null
  do {
    query.set('limit', String(Math.min(MOST_AT_ONCE, Math.max(usual, wanted - items.length))))
    const page: Page<T> = await call(
      'GET',
      cursor === null ? `${path}?${query}` : withCursor(`${path}?${query}`, cursor),
    )
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null && items.length < wanted)
  return { items, nextCursor: cursor }
}

/** A list that is shown again keeps its further pages, as long as the first one still leads to them. */
function withRest<T extends { readonly id: string }>(page: Page<T>, shown: () => Loaded<T>): Page<T> {
  const before = shown()
  // A search that ended for want of time leads to all that was found further on.
  if (page.items.length === 0 && page.nextCursor !== null && before.items.length > 0) return before
  const last = before.items.findIndex(({ id }) => id === page.items.at(-1)?.id)
  if (last < 0 || last === before.items.length - 1) return page
  return { items: [...page.items, ...before.items.slice(last + 1)], nextCursor: before.nextCursor }
}

function withCursor(key: string, cursor: string): string {
  return `${key}${key.includes('?') ? '&' : '?'}${new URLSearchParams({ cursor })}`
}
