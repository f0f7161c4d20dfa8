// What a person probably meant: the known text that is the fewest typing errors away.

/** Null if nothing is near. */
export function nearest(typed: string, known: readonly string[]): string | null {
  const wanted = typed.toLowerCase()
  const allowed = Math.max(1, Math.min(4, Math.floor(wanted.length / 4)))
  let [best, fewest]: [string | null, number] = [null, allowed + 1]
  for (const text of known) {
    // A difference in length is a typing error for each character.
    if (Math.abs(text.length - wanted.length) >= fewest) continue
    const errors = typingErrors(wanted, text.toLowerCase(), fewest)
    if (errors < fewest) [best, fewest] = [text, errors]
  }
  return best
}

export function didYouMean(typed: string, known: readonly string[]): string {
  const meant = nearest(typed, known)
  return meant === null ? '' : ` Did you mean ${meant}?`
}

/** Insertions, deletions, replacements and swaps of neighbours; gives up at `limit`. */
function typingErrors(a: string, b: string, limit: number): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1]
      const costs = [at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + (same ? 0 : 1)]
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) costs.push(at(before, j - 2) + 1)
      next.push(Math.min(...costs))
    }
    if (Math.min(...next) >= limit) return limit
    ;[before, row] = [row, next]
  }
  return at(row, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
