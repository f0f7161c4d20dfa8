// A stream that stays open is valid only as long as the token that opened it. The token is checked every two seconds, in
// real time, because other processes may revoke it too. The stream ends when the token was revoked, has expired, or was
// removed with its user.
import type { Readable } from 'node:stream'

const CHECK_EVERY_MS = 2_000

/** Aborting `over` ends the stream. */
export function endStreamWithToken(stream: Readable, over: AbortController, isValid: () => Promise<boolean>): void {
  const check = async () => {
    // If the store does not answer, nothing is known about the token, and the stream goes on.
    if (!(await isValid().catch(() => true))) over.abort()
  }
  const timer = setInterval(check, CHECK_EVERY_MS).unref()
  stream.once('close', () => clearInterval(timer))
}
