// A progress line on a terminal, with rate and remaining time. It is rewritten while work goes on, and removed at the end.
// Elsewhere nothing is shown.
import type { TextStream } from '../command-context.ts'

export interface Progress {
  /** Removes the line before something else is printed. */
  clear(): void
  step(failed: boolean): void
  end(): void
}

export interface Work {
  readonly total: number
  /** What a step was, such as `polled`. */
  readonly done: string
  readonly quiet: boolean
  now(): number
}

// Before that, a rate says little.
const FIRST_RATE_MS = 2000

export function progressOn(screen: TextStream, work: Work): Progress {
  if (!screen.isTTY || work.quiet || work.total === 0) return { clear() {}, step() {}, end() {} }
  const startedAt = work.now()
  let done = 0
  let failures = 0
  const clear = () => screen.write('\r\u001b[K')
  const show = () => {
    const failed = failures > 0 ? [`${failures} failed`] : []
    const parts = [
      `${done} of ${work.total} ${work.done}`,
      ...failed,
      ...paceText(done, work.total, work.now() - startedAt),
    ]
    screen.write(`\r\u001b[K${parts.join(', ').slice(0, (screen.columns ?? 80) - 1)}`)
  }
  show()
  return {
    clear,
    step(failed) {
      done += 1
      if (failed) failures += 1
      show()
    },
    end: clear,
  }
}

/** `4.2/s, 2 min left`. */
export function paceText(done: number, total: number, elapsedMs: number): string[] {
  if (done === 0 || elapsedMs < FIRST_RATE_MS) return []
  const perSecond = (done / elapsedMs) * 1000
  const rate = perSecond >= 1 ? `${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s` : `${(perSecond * 60).toFixed(1)}/min`
  return done < total ? [rate, `${durationText((total - done) / perSecond)} left`] : [rate]
}

function durationText(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
