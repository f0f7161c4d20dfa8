/**
 * The elements that are open, each with its namespaces, xml:base and place, so that what stands in it is known for what it
 * is. Forgives what real feeds do: end tags without a start are ignored, an end tag closes everything opened inside, a
 * second entry ends the first. Depth is capped: elements beyond it are only counted.
 */

import type { FeedDraft } from '../draft/feed-draft.ts'
import { MAX_DEPTH } from '../limits.ts'
import { type Container, OUTSIDE, type Place, type Site } from '../vocabularies/vocabulary.ts'
import type { Attributes } from './attributes.ts'
import { NamespaceScope } from './namespaces.ts'
import type { OpenTag } from './open-tag.ts'
import { endsPerson } from './unclosed-elements.ts'

/** `inside` is where the elements in it stand; `text` what it collected, if it does; `lower` its name, once asked for. */
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
  /** The one that collects the text in it, if one does. */
  #sink: Frame | null = null
  /** By depth, the last one there: elements mostly hold the same as the one before them. */
  readonly #sites: Site[] = []

  constructor(feed: FeedDraft) {
    this.#feed = feed
  }

  /** Without a name where none is open. */
  get innermost(): OpenElement {
    return this.#top
  }

  /** What will be around an element of this name that begins now; null where there is no room for one. */
  makeRoom(written: string): OpenElement | null {
    if (this.#top.inside.place === 'person' && endsPerson(written, this.#feed.isRss)) this.#closePersons()
    if (this.#frames.length < MAX_DEPTH) return this.#top
    this.#overflow++
    return null
  }

  open(tag: OpenTag, rule: Container | null, attributes: Attributes, scope: NamespaceScope): void {
    if (rule?.flat) this.#closeUnfinished(rule)
    const around = this.#top.inside
    const place = rule && rule.place !== 'inherit' ? rule.place : around.place
    const base = tag.reachesInside ? tag.baseWithin(around, attributes) : around.base
    const inside = this.#siteAt(around.depth + 1, place, base)
    const frame: Frame = { written: tag.written, lower: null, rule, inside, scope, text: '' }
    this.#frames.push(frame)
    this.#top = frame
    if (rule?.collects) this.#sink = frame
    rule?.open?.(this.#feed, attributes, around, base)
  }

  /** Whether one of them collects the text in it. */
  get collects(): boolean {
    return this.#sink !== null
  }

  collect(text: string): void {
    if (this.#sink) this.#sink.text += text
  }

  close(written: string): void {
    if (this.#overflow > 0) {
      this.#overflow--
      return
    }
    const depth = this.around(written)
    if (depth >= 0) this.closeFrom(depth)
  }

  /** How many stand around the innermost of this name; -1 if none has it. */
  around(written: string): number {
    const last = this.#frames.length - 1
    if (this.#top.written === written) return last
    // A flood of end tags that close nothing asks all of them each time.
    const lower = written.toLowerCase()
    for (let at = last; at >= 0; at--) {
      const frame = this.#frames[at] as Frame
      frame.lower ??= frame.written.toLowerCase()
      if (frame.lower === lower) return at
    }
    return -1
  }

  /** The document ends in them, maybe with the beginning of a tag or of what closes a section. */
  closeCut(): void {
    const text = this.#sink?.text ?? ''
    if (this.#sink) this.#sink.text = text.replace(text.includes('[') ? /<\/?$/ : /(?:<\/?|\]{1,2})$/, '')
    this.closeFrom(0)
  }

  /** All but so many. */
  closeFrom(depth: number): void {
    while (this.#frames.length > depth) {
      const frame = this.#frames.pop()
      this.#top = this.#frames[this.#frames.length - 1] ?? this.#outermost
      if (frame === this.#sink) this.#sink = null
      frame?.rule?.close?.(this.#feed, this.#top.inside, frame.text)
    }
  }

  #siteAt(depth: number, place: Place, base: string | null): Site {
    const before = this.#sites[depth]
    if (before && before.place === place && before.base === base) return before
    const site = { place, depth, base }
    this.#sites[depth] = site
    return site
  }

  /** An entry inside an entry, or inside an image that was never closed: the ones before end here. */
  #closeUnfinished(rule: Container): void {
    let same = 0
    while (same < this.#frames.length && this.#frames[same]?.rule !== rule) same++
    if (same < this.#frames.length) this.closeFrom(same)
    while (NO_PLACE_FOR_ENTRIES.has(this.#top.inside.place)) this.closeFrom(this.#frames.length - 1)
  }

  #closePersons(): void {
    while (this.#top.inside.place === 'person') this.closeFrom(this.#frames.length - 1)
  }
}

const NO_PLACE_FOR_ENTRIES: ReadonlySet<Place> = new Set<Place>(['aside', 'person', 'packed'])
