// Suggestions for misspelled names: finds the candidate with the smallest edit distance, if it is close enough.

export function didYouMean(guess: string | null): string {
  return guess === null ? '' : `, did you mean ${guess}?`
}

export function closestMatch(given: string, candidates: Iterable<string>): string | null {
  const wanted = bare(given)
  let best: { name: string; distance: number } | null = null
  for (const name of candidates) {
    const distance = editDistance(wanted, bare(name))
    if (distance <= Math.max(1, Math.floor(wanted.length / 4)) && (!best || distance < best.distance)) {
      best = { name, distance }
    }
  }
  return best?.name ?? null
}

// maxFailures, max_failures and max-failures count as the same name.
function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9.]/g, '')
}

/** Insertions, deletions, changes, and two neighbours that changed places, each counted once. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = swapped ? (beforeLast[j - 2] ?? change) + 1 : change
      next.push(Math.min(change, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    beforeLast = row
    row = next
  }
  return row[b.length] ?? 0
}
