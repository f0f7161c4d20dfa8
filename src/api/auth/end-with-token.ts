// A stream that stays open is only as good as the token that opened it. It is looked at again every two seconds (real
// time: tokens are revoked by other processes, too) and ends when the token has been revoked, has expired, or went with
// its user.
import type { Readable } from 'node:stream'

const LOOK_EVERY_MS = 2_000

/** `over` is what the stream's source listens to. */
export function endWithToken(stream: Readable, over: AbortController, isValid: () => Promise<boolean>): void {
  const look = async () => {
    // A store that does not answer says nothing about the token.
    if (!(await isValid().catch(() => true))) over.abort()
  }
  const timer = setInterval(look, LOOK_EVERY_MS).unref()
  stream.once('close', () => clearInterval(timer))
}
