// The answer of a GET, kept fresh: asked anew when live events concern it, when another tab changed something, and at
// intervals. While it is asked again, the last answer stays on the page. An answer that is overtaken by the one to a later
// request is old, and is not shown.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { reportProblem, reportReached } from '../frame/connection.ts'
import { ApiProblem, call } from './call.ts'
import { onEvent } from './live.ts'
import { onChangeInOtherTab } from './other-tabs.ts'
import { useTryAgain } from './try-again.ts'
import type { LiveEvent } from './types.ts'

export interface Asked<T> {
  readonly data: T | null
  readonly problem: ApiProblem | null
  readonly isLoading: boolean
  reload(): Promise<void>
}

interface Options {
  readonly everyMs?: number
  /** Asked again soon after an event for which this is true. */
  readonly when?: (event: LiveEvent) => boolean
}

const GATHER_MS = 700
const MAX_KEPT = 300

interface Kept {
  readonly answer: unknown
  /** Which request it answers. */
  readonly asked: number
}

const kept = new Map<string, Kept>()
let requests = 0

export function forgetAnswers(): void {
  kept.clear()
}

export function useAnswer<T>(path: string | null, { everyMs = 0, when }: Options = {}): Asked<T> {
  const [, rerender] = useState({})
  const state = useRef<{ path: string | null; problem: ApiProblem | null; isLoading: boolean }>({
    ...{ path: null, problem: null, isLoading: true },
  })
  if (state.current.path !== path) state.current = { path, problem: null, isLoading: path !== null }

  const reload = useCallback(async () => {
    if (path === null) return
    const problem = await ask(path)
    if (state.current.path !== path || problem === OVERTAKEN) return
    state.current = { path, problem, isLoading: false }
    rerender({})
  }, [path])

  useEffect(() => {
    void reload()
    if (everyMs === 0) return
    const timer = setInterval(reload, everyMs)
    return () => clearInterval(timer)
  }, [reload, everyMs])

  useEffect(() => onChangeInOtherTab(() => void reload()), [reload])
  useTryAgain(state.current.problem, reload)

  const wanted = useRef(when)
  wanted.current = when
  useEffect(() => {
    let timer = 0
    const stop = onEvent((event) => {
      if (timer !== 0 || !wanted.current?.(event)) return
      timer = setTimeout(() => {
        timer = 0
        void reload()
      }, GATHER_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [reload])

  const data = path === null ? null : ((kept.get(path)?.answer as T | undefined) ?? null)
  return { data, problem: state.current.problem, isLoading: state.current.isLoading, reload }
}

const OVERTAKEN = 'overtaken'

async function ask(path: string): Promise<ApiProblem | typeof OVERTAKEN | null> {
  const asked = ++requests
  const isOvertaken = () => (kept.get(path)?.asked ?? 0) > asked
  try {
    const answer = await call('GET', path)
    reportReached()
    if (isOvertaken()) return OVERTAKEN
    keep(path, { answer, asked })
    return null
  } catch (error) {
    if (isOvertaken()) return OVERTAKEN
    const problem = asProblem(error)
    reportProblem(problem)
    return problem
  }
}

/** Those that were asked for longest ago make room. */
function keep(path: string, answer: Kept): void {
  kept.delete(path)
  kept.set(path, answer)
  const [oldest] = kept.keys()
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
}

export function asProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error
  return new ApiProblem(error instanceof Error ? error.message : String(error))
}
