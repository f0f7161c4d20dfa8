// The one place in polling that uses real time: for limits on waiting, never for a rule or a timestamp.
// See docs/decisions/0091-injected-clock-for-rules-real-time-for-sockets.md

/** Returns a function that cancels it. After Infinity nothing is run. */
export function afterRealTime(ms: number, run: () => void): () => void {
  if (ms === Number.POSITIVE_INFINITY) return () => {}
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
