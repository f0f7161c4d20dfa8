// Taking turns among things that come and go between two turns.

/** The first after the one whose turn it was, beginning again at the end; `ascending` is in order. */
export function nextInTurn(last: string | null, ascending: readonly string[]): string | null {
  const next = last === null ? undefined : ascending.find((each) => each > last)
  return next ?? ascending[0] ?? null
}
