// What an X source remembers between polls, kept as its lastSeenId: `<userId>:<sinceId>`, and `<userId>:` when
// nothing was posted yet. Ids are longer than a number can hold, so they are compared as big integers.

export interface Mark {
  readonly userId: string
  /** Everything up to this post has been read; null when there was none. */
  readonly sinceId: string | null
}

/** null: nothing is known, or what is stored was not written by this reader. */
export function readMark(lastSeenId: string | null): Mark | null {
  const [, userId, sinceId] = /^([^:\s]+):(\d*)$/.exec(lastSeenId ?? '') ?? []
  return userId === undefined ? null : { userId, sinceId: sinceId || null }
}

export function writeMark({ userId, sinceId }: Mark): string {
  return `${userId}:${sinceId ?? ''}`
}

export function isNewer(id: string, than: string | null): boolean {
  return than === null || BigInt(id) > BigInt(than)
}

export function newestFirst(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id === b.id ? 0 : isNewer(a.id, b.id) ? -1 : 1
}
