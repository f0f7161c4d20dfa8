// How far long work is, with rate and remaining time. On a terminal it is one line that is rewritten, and removed at the
// end. Elsewhere nothing is shown, unless the work asks for lines: then one now and then, for a log.
import type { TextStream } from '../command-context.ts'

export interface Progress {
  /** Removes the line before something else is printed. */
  clear(): void
  step(failed: boolean): void
  /** So much is done by now. */
  reach(done: number): void
  end(): void
}

export interface Work {
  readonly total: number
  /** Done before this run, so it says nothing about the rate. */
  readonly already?: number
  /** What a step was, such as `polled`. */
  readonly done: string
  readonly quiet: boolean
  /** Prints lines where there is no terminal. */
  readonly lines?: boolean
  now(): number
}

// Before that, a rate says little.
const FIRST_RATE_MS = 2000
const BETWEEN_LINES_MS = 10_000
/** A terminal that is written to more often slows down the work. */
const BETWEEN_REWRITES_MS = 50

const NONE: Progress = { clear() {}, step() {}, reach() {}, end() {} }

export function progressOn(screen: TextStream, work: Work): Progress {
  if (work.quiet || work.total === 0) return NONE
  if (screen.isTTY) return rewritten(screen, work)
  return work.lines ? inLines(screen, work) : NONE
}

function rewritten(screen: TextStream, work: Work): Progress {
  const text = textOf(work)
  let shownAt = Number.NEGATIVE_INFINITY
  const clear = () => screen.write('\r\u001b[K')
  const show = () => {
    shownAt = work.now()
    screen.write(`\r\u001b[K${text.now().slice(0, (screen.columns ?? 80) - 1)}`)
  }
  show()
  return {
    clear,
    step(failed) {
      text.step(failed)
      show()
    },
    reach(done) {
      text.reach(done)
      if (work.now() - shownAt >= BETWEEN_REWRITES_MS) show()
    },
    end: clear,
  }
}

function inLines(screen: TextStream, work: Work): Progress {
  const text = textOf(work)
  let shownAt = work.now()
  const show = () => {
    shownAt = work.now()
    screen.write(`${text.now()}\n`)
  }
  const showSometimes = () => {
    if (work.now() - shownAt >= BETWEEN_LINES_MS) show()
  }
  return {
    clear() {},
    step(failed) {
      text.step(failed)
      showSometimes()
    },
    reach(done) {
      text.reach(done)
      showSometimes()
    },
    end: show,
  }
}

function textOf({ total, already = 0, done: label, now }: Work) {
  const startedAt = now()
  let done = already
  let failures = 0
  return {
    step(failed: boolean): void {
      done += 1
      if (failed) failures += 1
    },
    reach(reached: number): void {
      done = reached
    },
    now(): string {
      const failed = failures > 0 ? [`${failures} failed`] : []
      const pace = paceText(done - already, total - already, now() - startedAt)
      return [`${done} of ${total} ${label}`, ...failed, ...pace].join(', ')
    },
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
