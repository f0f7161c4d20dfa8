// No answer is longer than 25,000 characters, counted over everything that is sent: the JSON text and the same as
// structured content. A list that does not fit is asked for again with fewer items, so that its cursor stays right.

export const MAX_CHARACTERS = 25_000
/** For what is added to an answer after it was made to fit: the names of its fields with text from outside. */
const RESERVED = 500

export interface ToolResult {
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent?: Record<string, unknown>
  readonly isError?: boolean
  readonly [key: string]: unknown
}

export function resultOf(answer: Record<string, unknown>): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer }
}

export function errorResult(message: string): ToolResult {
  return { content: [{ type: 'text', text: shorten(message, MAX_CHARACTERS / 4) }], isError: true }
}

export function fits(answer: unknown): boolean {
  return JSON.stringify(resultOf(answer as Record<string, unknown>)).length <= MAX_CHARACTERS - RESERVED
}

/** Asks for `limit` items, and for fewer until the answer fits. */
export async function fittingPage<T extends { readonly items: readonly unknown[] }>(
  limit: number,
  ask: (limit: number) => Promise<T>,
): Promise<T> {
  const answer = await ask(limit)
  if (fits(answer) || answer.items.length <= 1) return answer
  const { items } = answer
  let count = items.length - 1
  while (count > 1 && !fits({ ...answer, items: items.slice(0, count) })) count--
  return fittingPage(count, ask)
}

/** The longest piece of a text, from `offset` on, with which the answer fits. */
export function fittingSlice<T extends object>(text: string, offset: number, answerWith: (slice: string) => T): T {
  let length = Math.min(text.length - offset, MAX_CHARACTERS)
  for (;;) {
    const answer = answerWith(wholeCharacters(text, offset, offset + length))
    if (fits(answer) || length <= 1) return answer
    length = Math.floor(length * 0.9)
  }
}

/** A slice that does not end in the middle of a character. */
function wholeCharacters(text: string, start: number, end: number): string {
  const slice = text.slice(start, end)
  return end < text.length && /[\ud800-\udbff]$/.test(slice) && slice.length > 1 ? slice.slice(0, -1) : slice
}

export function shorten(text: string, characters: number): string {
  return text.length <= characters ? text : `${wholeCharacters(text, 0, characters - 1)}…`
}
