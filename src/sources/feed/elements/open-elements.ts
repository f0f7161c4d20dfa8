/**
 * The stack of open elements, each with its namespaces, xml:base and place.
 *
 * It tolerates the mistakes of real feeds: an end tag without a start tag is ignored, an end tag closes everything that
 * was opened inside, and a second entry ends the first. Elements beyond the maximum depth are only counted.
 */

import type { FeedDraft } from '../draft/feed-draft.ts'
import { MAX_DEPTH } from '../limits.ts'
import { type Container, OUTSIDE, type Place, type Site } from '../vocabularies/vocabulary.ts'
import type { Attributes } from './attributes.ts'
import { NamespaceScope } from './namespaces.ts'
import type { OpenTag } from './open-tag.ts'
import { endsPerson } from './unclosed-elements.ts'

/** `inside`: the site of its child elements. `text`: the text it has collected. `lower`: its name in lower case, once needed. */
type Frame = {
  written: string
  lower: string | null
  rule: Container | null
  inside: Site
  scope: NamespaceScope
  text: string
}
export type OpenElement = Readonly<Pick<Frame, 'written' | 'inside' | 'scope'>>

export class OpenElements {
  readonly #feed: FeedDraft
  readonly #outermost: Frame = {
    written: '',
    lower: null,
    rule: null,
    inside: OUTSIDE,
    scope: NamespaceScope.outermost(),
    text: '',
  }
  readonly #frames: Frame[] = []
  #top = this.#outermost
  #overflow = 0
  /** The element that collects text, if one does. */
  #collecting: Frame | null = null

  constructor(feed: FeedDraft) {
    this.#feed = feed
  }

  /** Its name is empty if no element is open. */
  get innermost(): OpenElement {
    return this.#top
  }

  /** Prepares for an element of this name. Returns the element around it; null if the maximum depth is reached. */
  makeRoom(written: string): OpenElement | null {
    if (this.#top.inside.place === 'person' && endsPerson(written, this.#feed.isRss)) this.#closePersons()
    if (this.#frames.length < MAX_DEPTH) return this.#top
    this.#overflow++
    this.#feed.isTooDeep = true
    return null
  }

  open(tag: OpenTag, rule: Container | null, attributes: Attributes, scope: NamespaceScope): void {
    if (rule?.flat) this.#closeUnfinished(rule)
    const around = this.#top.inside
    const place = rule && rule.place !== 'inherit' ? rule.place : around.place
    const base = tag.reachesInside ? tag.baseWithin(around, attributes) : around.base
    const inside: Site = { place, depth: around.depth + 1, base }
    const frame: Frame = { written: tag.written, lower: null, rule, inside, scope, text: '' }
    this.#frames.push(frame)
    this.#top = frame
    if (rule?.collects) this.#collecting = frame
    rule?.open?.(this.#feed, attributes, around, base)
  }

  /** Whether an open element collects text. */
  get collects(): boolean {
    return this.#collecting !== null
  }

  collect(text: string): void {
    if (this.#collecting) this.#collecting.text += text
  }

  close(written: string): void {
    if (this.#overflow > 0) {
      this.#overflow--
      return
    }
    const depth = this.around(written)
    if (depth >= 0) this.closeFrom(depth)
  }

  /** How many elements are around the innermost one of this name; -1 if there is none. */
  around(written: string): number {
    const last = this.#frames.length - 1
    if (this.#top.written === written) return last
    // A hostile document may have many end tags that close nothing, so lower-case names are kept.
    const lower = written.toLowerCase()
    for (let at = last; at >= 0; at--) {
      const frame = this.#frames[at] as Frame
      frame.lower ??= frame.written.toLowerCase()
      if (frame.lower === lower) return at
    }
    return -1
  }

  /** Closes everything at the end of the document. Half a tag or half a `]]>` is removed from collected text. */
  closeCut(): void {
    const text = this.#collecting?.text ?? ''
    if (this.#collecting) this.#collecting.text = text.replace(text.includes('[') ? /<\/?$/ : /(?:<\/?|\]{1,2})$/, '')
    this.closeFrom(0)
  }

  /** Closes all elements but the outermost `depth` ones. */
  closeFrom(depth: number): void {
    while (this.#frames.length > depth) {
      const frame = this.#frames.pop()
      this.#top = this.#frames[this.#frames.length - 1] ?? this.#outermost
      if (frame === this.#collecting) this.#collecting = null
      frame?.rule?.close?.(this.#feed, this.#top.inside, frame.text)
    }
  }

  /** Closes an entry or image that is still open when the next entry begins. */
  #closeUnfinished(rule: Container): void {
    let same = 0
    while (same < this.#frames.length && this.#frames[same]?.rule !== rule) same++
    if (same < this.#frames.length) this.closeFrom(same)
    while (PLACES_WITHOUT_ENTRIES.has(this.#top.inside.place)) this.closeFrom(this.#frames.length - 1)
  }

  #closePersons(): void {
    while (this.#top.inside.place === 'person') this.closeFrom(this.#frames.length - 1)
  }
}

const PLACES_WITHOUT_ENTRIES: ReadonlySet<Place> = new Set<Place>(['aside', 'source', 'person', 'packed'])
