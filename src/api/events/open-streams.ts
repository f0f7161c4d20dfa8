// Counts the open event streams of each user without admin rights, so that one user does not hold all connections.
import type { Readable } from 'node:stream'
import { limitReached } from '../../domain/limits.ts'
import type { Caller } from '../route.ts'

export class OpenStreams {
  readonly #most: number
  readonly #byUser = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Opens a stream and counts it until it is closed, or throws 'limit-reached'. */
  open(caller: Caller, open: () => Readable): Readable {
    if (caller.admin) return open()
    const { userId } = caller
    if (this.#count(userId) >= this.#most) throw limitReached('event-streams', this.#most)
    const stream = open()
    this.#byUser.set(userId, this.#count(userId) + 1)
    stream.once('close', () => this.#closed(userId))
    return stream
  }

  #count(userId: string): number {
    return this.#byUser.get(userId) ?? 0
  }

  #closed(userId: string): void {
    const left = this.#count(userId) - 1
    if (left > 0) this.#byUser.set(userId, left)
    else this.#byUser.delete(userId)
  }
}
