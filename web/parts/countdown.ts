// A time that runs out, except while somebody holds it.
export interface Countdown {
  /** Held for each of these reasons until it is released. */
  hold(reason: string): void
  release(reason: string): void
  stop(): void
}

/** What was held stays at least this long after it is released, so that it does not go at the same moment. */
const LEAST_MS = 2000

export function startCountdown(ms: number, onEnd: () => void): Countdown {
  const reasons = new Set<string>()
  let leftMs = ms
  let startedAt = performance.now()
  let timer = setTimeout(onEnd, ms)
  return {
    hold(reason) {
      if (reasons.size === 0) {
        clearTimeout(timer)
        leftMs -= performance.now() - startedAt
      }
      reasons.add(reason)
    },
    release(reason) {
      if (!reasons.delete(reason) || reasons.size > 0) return
      startedAt = performance.now()
      leftMs = Math.max(LEAST_MS, leftMs)
      timer = setTimeout(onEnd, leftMs)
    },
    stop() {
      reasons.clear()
      clearTimeout(timer)
    },
  }
}
