// The mark of an X source, stored as its lastSeenId: `<userId>:<sinceId>`, or `<userId>:` when nothing was posted yet.
// Ids do not fit into a number, so they are compared as big integers.

export interface Mark {
  readonly userId: string
  /** The newest post that was read; null when there was none. */
  readonly sinceId: string | null
}

/** null when there is no mark yet, or when it was not written by this reader. */
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
