// What could not be reached is asked for again by itself: after a while, and at once when the live stream is back.
import { useEffect } from 'preact/hooks'
import type { ApiProblem } from './call.ts'
import { onLiveAgain } from './live.ts'

const AFTER_MS = 5000

export function useTryAgain(problem: ApiProblem | null, again: () => unknown): void {
  useEffect(() => onLiveAgain(() => void again()), [again])
  useEffect(() => {
    if (!problem?.isPassing) return
    const timer = setTimeout(again, AFTER_MS)
    return () => clearTimeout(timer)
  }, [problem, again])
}
