// Requests one address after another until one is a feed. If a host is not free in time, or answers 429 or 503, its other
// addresses are skipped.
import { hostOf } from '../../domain/address.ts'
import type { Documents, FeedLink } from '../../ports/documents.ts'
import type { ReadResult, Visit, VisitResult } from '../../ports/reader.ts'
import { readFeedBody } from '../feed/feed-source.ts'

export type FeedFound = FeedLink & { readonly read: Extract<ReadResult, { kind: 'document' }> }

export class FeedSearch {
  readonly #documents: Documents
  readonly #visit: Visit
  readonly #requested = new Set<string>()
  readonly #dead = new Set<string>()
  /** Hosts whose other addresses are skipped, with the reason. */
  readonly #skippedHosts = new Map<string | null, string>()
  #isAborted = false

  constructor(documents: Documents, visit: Visit) {
    this.#documents = documents
    this.#visit = visit
  }

  /** `separate`: each request is a visit of its own, after the host's spacing. */
  async findFirst(links: readonly FeedLink[], { separate }: { separate: boolean }): Promise<FeedFound | null> {
    for (const link of links) {
      if (this.#isAborted || this.#requested.has(link.url) || this.#skippedHosts.has(hostOf(link.url))) continue
      const answer = await this.#visit.fetch({ url: link.url, accept: 'feed', separate })
      const read = await this.#feedIn(link.url, answer)
      if (read) return { ...link, read }
    }
    return null
  }

  isDead(url: string): boolean {
    return this.#dead.has(url)
  }

  /** How many of these were skipped, and why; null when all were requested. */
  skippedNote(links: readonly FeedLink[]): string | null {
    const untried = links.filter(({ url }) => !this.#requested.has(url))
    const why = untried[0] && this.#skippedHosts.get(hostOf(untried[0].url))
    return why ? `${untried.length} of ${links.length} usual addresses of feeds were not tried: ${why}` : null
  }

  async #feedIn(url: string, answer: VisitResult): Promise<FeedFound['read'] | null> {
    if (answer.kind === 'given-up') this.#isAborted = true
    if (answer.kind === 'put-off') this.#skippedHosts.set(hostOf(url), 'the host was not free for them in time')
    if (answer.kind === 'given-up' || answer.kind === 'put-off') return null
    this.#requested.add(url)
    if (answer.kind === 'status' && (answer.status === 429 || answer.status === 503)) {
      this.#skippedHosts.set(hostOf(url), `the host answered ${answer.status}`)
      return null
    }
    const hint = { bodyHash: null, url }
    const read = answer.kind === 'body' ? await readFeedBody(this.#documents, hint, answer) : null
    if (read?.kind === 'document') return read
    this.#dead.add(url)
    return null
  }
}
