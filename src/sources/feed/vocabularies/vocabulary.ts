/**
 * The shape of a vocabulary: for each element name, what reading it means.
 *
 * A `leaf` is one value: whatever stands inside it, markup too, is its text. A `container` holds elements and says
 * where they are (`place`), so that the title of an image is not taken for the title of the feed. Elements without a
 * rule are looked through: what they hold counts for whoever is around them.
 */

import type { FeedDraft } from '../draft/feed-draft.ts'
import type { Attributes } from '../elements/attributes.ts'
import type { ElementText } from '../elements/element-text.ts'

export type Place = 'outside' | 'feed' | 'entry' | 'person' | 'packed' | 'aside'

/** Where an element stands. `base` is what relative links in it refer to; null when no xml:base says. */
export type Site = { place: Place; depth: number; base: string | null }
export const OUTSIDE: Site = { place: 'outside', depth: 0, base: null }

export type Leaf = {
  kind: 'leaf'
  take(feed: FeedDraft, text: ElementText, attributes: Attributes, site: Site): void
  /** What the element is if it holds several of its own kind, as attributes say. */
  severalIn: ((attributes: Attributes) => Container | null) | null
}

export type Container = {
  kind: 'container'
  place: Place | 'inherit'
  /** `around` is where the element itself stands, `base` what links in it refer to. */
  open?(feed: FeedDraft, attributes: Attributes, around: Site, base: string | null): void
  close?(feed: FeedDraft, around: Site, text: string): void
  /** `close` gets the text in the element: for those that may hold either elements or a text. */
  collects?: true
  /** Elements of this kind do not nest: a second one means that the first was never closed. */
  flat?: true
}

export type Rule = Leaf | Container
export type Vocabulary = Record<string, Rule>

export function leaf(take: Leaf['take'], severalIn: Leaf['severalIn'] = null): Leaf {
  return { kind: 'leaf', take, severalIn }
}
