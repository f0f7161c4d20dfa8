// The one place where the story looks at real time: limits on waiting behind sockets, never a rule or a stamp.
// See docs/decisions/0091-injected-clock-for-rules-real-time-for-sockets.md

/** Returns what calls it off. After Infinity nothing is run. */
export function afterRealTime(ms: number, run: () => void): () => void {
  if (ms === Number.POSITIVE_INFINITY) return () => {}
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
