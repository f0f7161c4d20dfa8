// Whether the sources of a user wait because the user stores too much. Scheduled polls go by a figure that is at most a
// minute old, so they cost one small query a minute for each user.
import { isLimited } from '../../domain/request-limit.ts'
import { MINUTE_MS } from '../../domain/schedule.ts'
import type { Source } from '../../domain/source.ts'
import { waitForRoom } from '../../domain/storage-limit.ts'
import type { Waiting } from '../../domain/x-posts-limit.ts'
import type { Clock } from '../../ports/clock.ts'
import type { LimitsConfig } from '../../ports/config.ts'
import type { Log } from '../../ports/log.ts'
import type { PeopleStore } from '../../ports/people-store.ts'

export interface StorageQuotaDeps {
  readonly clock: Clock
  readonly log: Log
  readonly store: Pick<PeopleStore, 'storedBytes'>
  readonly limits: Pick<LimitsConfig, 'storedMegabytes'>
}

interface Figure {
  readonly readAt: number
  readonly bytes: number
}

const FIGURE_LASTS_MS = MINUTE_MS
/** More users than this are not remembered. */
const MOST_FIGURES = 10_000

export class StorageQuota {
  readonly #deps: StorageQuotaDeps
  readonly #figures = new Map<string, Figure>()
  readonly #told = new Set<string>()

  constructor(deps: StorageQuotaDeps) {
    this.#deps = deps
  }

  /** null: there is room. `isExact`: the figure is read now. */
  async waiting(source: Source, { isExact }: { readonly isExact: boolean }): Promise<Waiting | null> {
    const { clock, limits } = this.#deps
    if (limits.storedMegabytes === 0 || !isLimited(source)) return null
    const { userId } = source
    const { bytes } = (isExact ? null : this.#recent(userId)) ?? (await this.#read(userId))
    const waiting = waitForRoom(bytes, limits.storedMegabytes, source, clock.now())
    this.#tell(userId, waiting)
    return waiting
  }

  #recent(userId: string): Figure | null {
    const figure = this.#figures.get(userId)
    // Also from before the clock was set back.
    return figure && Math.abs(this.#deps.clock.now() - figure.readAt) < FIGURE_LASTS_MS ? figure : null
  }

  async #read(userId: string): Promise<Figure> {
    const { clock, store } = this.#deps
    const figure = { readAt: clock.now(), bytes: await store.storedBytes(userId) }
    if (this.#figures.size >= MOST_FIGURES) this.#figures.clear()
    this.#figures.set(userId, figure)
    return figure
  }

  /** Once when the limit is reached, and once when there is room again. */
  #tell(userId: string, waiting: Waiting | null): void {
    if (this.#told.has(userId) === (waiting !== null)) return
    const { log } = this.#deps
    if (waiting) {
      this.#told.add(userId)
      log.warn({ userId }, `[Polling] the sources of user ${userId} wait, because ${waiting.reason}`)
    } else {
      this.#told.delete(userId)
      log.info({ userId }, `[Polling] the sources of user ${userId} are polled again: there is room`)
    }
  }
}
