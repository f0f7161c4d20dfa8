// Asks one address after another until one is a feed. A dead one leads to the next; a host that is not free in time, or
// that asks for less, is asked no more.
import { hostOf } from '../../domain/address.ts'
import type { Documents, FeedLink } from '../../ports/documents.ts'
import type { ReadResult, Visit, VisitResult } from '../../ports/reader.ts'
import { readFeedBody } from '../feed/feed-source.ts'

export type FeedFound = FeedLink & { readonly read: Extract<ReadResult, { kind: 'document' }> }

export class FeedSearch {
  readonly #documents: Documents
  readonly #visit: Visit
  readonly #asked = new Set<string>()
  readonly #dead = new Set<string>()
  /** Hosts that are not to be asked again, and why not. */
  readonly #left = new Map<string | null, string>()
  #givenUp = false

  constructor(documents: Documents, visit: Visit) {
    this.#documents = documents
    this.#visit = visit
  }

  /** `separate`: each is a visit of its own, with spacing before it. */
  async first(links: readonly FeedLink[], { separate }: { separate: boolean }): Promise<FeedFound | null> {
    for (const link of links) {
      if (this.#givenUp || this.#asked.has(link.url) || this.#left.has(hostOf(link.url))) continue
      const answer = await this.#visit.fetch({ url: link.url, accept: 'feed', separate })
      const read = await this.#feedIn(link.url, answer)
      if (read) return { ...link, read }
    }
    return null
  }

  isDead(url: string): boolean {
    return this.#dead.has(url)
  }

  /** Says which of these were left out, and why; null when all were asked. */
  leftOut(links: readonly FeedLink[]): string | null {
    const untried = links.filter(({ url }) => !this.#asked.has(url))
    const why = untried[0] && this.#left.get(hostOf(untried[0].url))
    return why ? `${untried.length} of ${links.length} usual addresses of feeds were not tried: ${why}` : null
  }

  async #feedIn(url: string, answer: VisitResult): Promise<FeedFound['read'] | null> {
    if (answer.kind === 'given-up') this.#givenUp = true
    if (answer.kind === 'put-off') this.#left.set(hostOf(url), 'the host was not free for them in time')
    if (answer.kind === 'given-up' || answer.kind === 'put-off') return null
    this.#asked.add(url)
    if (answer.kind === 'status' && (answer.status === 429 || answer.status === 503)) {
      this.#left.set(hostOf(url), `the host answered ${answer.status}`)
      return null
    }
    const hint = { bodyHash: null, url }
    const read = answer.kind === 'body' ? await readFeedBody(this.#documents, hint, answer) : null
    if (read?.kind === 'document') return read
    this.#dead.add(url)
    return null
  }
}
