// The pages behind posts: work of lanes, after due sources. A page is asked in the lane of its own host.
// The store says which pages are due, so nothing is lost by a restart, and of several processes the one that visits the
// host takes its pages.
import { textBehind } from '../../domain/full-text.ts'
import { laneOfUrl } from '../../domain/lane.ts'
import { EVERYBODY, type FreeVisitors } from '../../domain/owner-spacing.ts'
import { Problem } from '../../domain/problem.ts'
import type { SourceTypes } from '../../domain/source-type.ts'
import type { Store } from '../../ports/store.ts'
import type { WorkOfTurn } from '../lanes/turn.ts'
import { fetchPage } from './fetch-page.ts'
import type { FetchPageDeps } from './page-visit.ts'

export interface PagesDeps extends FetchPageDeps {
  readonly store: Store
  readonly types: Pick<SourceTypes, 'of' | 'recognising' | 'services'>
}

export class Pages {
  readonly #deps: PagesDeps
  /** Posts whose page could not even be put off: skipped until the next tick, so that a lane does not spin on one. */
  readonly #unrecorded = new Set<string>()
  #started = 0

  constructor(deps: PagesDeps) {
    this.#deps = deps
  }

  get started(): number {
    return this.#started
  }

  retryUnrecorded(): void {
    this.#unrecorded.clear()
  }

  hasDue = async (lane: string): Promise<boolean> => (await this.#next(lane, EVERYBODY)) !== null

  take = async (lane: string, free: FreeVisitors): Promise<WorkOfTurn | null> => {
    const page = await this.#next(lane, free)
    if (!page) return null
    return async (turn) => {
      this.#started++
      await fetchPage(this.#deps, page, turn).catch((error: unknown) => {
        this.#unrecorded.add(page.post.id)
        this.#deps.log.error({ err: error, url: page.url }, `[Polling] ${page.url} could not be recorded`)
      })
    }
  }

  /** A person wants the full text of one post now. */
  async request(podcastId: string, postId: string): Promise<void> {
    const { store, types, clock, lanes } = this.#deps
    const post = await store.getPost(podcastId, postId)
    const source = post && (await store.getSource(post.sourceId))
    if (!post || !source) throw new Problem('not-found', 'There is no such post.')
    if (post.fullTextState === 'fetched') throw new Problem('conflict', 'The post has its full text already.')
    if (!types.of(source.type).hasPagesBehindPosts) {
      throw new Problem('conflict', `There is no more text to ask for: posts of type ${source.type} have all there is.`)
    }
    const behind = textBehind(post, source.url)
    if (behind === null)
      throw new Problem('conflict', 'There is no page behind this post: it has no address of its own.')
    const lane = laneOfUrl(behind.url)
    await store.requestPage(post.id, { ...behind, lane, dueAt: clock.now() })
    lanes.wake(lane)
  }

  #next(lane: string, free: FreeVisitors) {
    return this.#deps.store.nextPageOf(lane, this.#deps.clock.now(), [...this.#unrecorded], free)
  }
}
