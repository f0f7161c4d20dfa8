/**
 * Scores an extracted text against the true text: F1 over runs of four words.
 * Precision and recall are means over the pages, and F1 is computed from the two means.
 * This is the measure of the public article extraction benchmark, so the numbers can be compared.
 */

const RUN_WORDS = 4

function runsOf(text: string): Map<string, number> {
  const words = text.match(/[\p{L}\p{N}_]+/gu) ?? []
  const runs = new Map<string, number>()
  for (let at = 0; at < Math.max(1, words.length - RUN_WORDS + 1); at++) {
    const run = words.slice(at, at + RUN_WORDS).join(' ')
    if (run !== '') runs.set(run, (runs.get(run) ?? 0) + 1)
  }
  return runs
}

export type PageScore = { precision: number | null; recall: number | null }

export function scorePage(truth: string, found: string): PageScore {
  const expected = runsOf(truth)
  const extracted = runsOf(found)
  const total = (runs: Map<string, number>): number => [...runs.values()].reduce((sum, count) => sum + count, 0)
  let shared = 0
  for (const [run, count] of expected) shared += Math.min(count, extracted.get(run) ?? 0)
  const share = (of: number): number | null => (of === 0 ? null : shared / of)
  return { precision: share(total(extracted)), recall: share(total(expected)) }
}

export function f1(scores: readonly PageScore[]): number {
  const mean = (values: readonly (number | null)[]): number => {
    const real = values.filter((value) => value !== null)
    return real.reduce((sum, value) => sum + value, 0) / Math.max(1, real.length)
  }
  const precision = mean(scores.map((score) => score.precision))
  const recall = mean(scores.map((score) => score.recall))
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
}
