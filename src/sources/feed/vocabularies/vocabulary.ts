/**
 * A vocabulary has a rule for each element name.
 *
 * A `leaf` is one value: everything inside it is its text, markup too. A `container` holds elements and defines their
 * `place`, so that the title of an image is not taken for the title of the feed. Elements without a rule are
 * transparent: their children count as children of the element around them.
 */

import type { FeedDraft } from '../draft/feed-draft.ts'
import type { Attributes } from '../elements/attributes.ts'
import type { ElementText } from '../elements/element-text.ts'

export type Place = 'outside' | 'feed' | 'entry' | 'person' | 'packed' | 'source' | 'aside'

/** Where an element is. `base`: the base for relative links in it; null without xml:base. */
export type Site = { place: Place; depth: number; base: string | null }
export const OUTSIDE: Site = { place: 'outside', depth: 0, base: null }

export type Leaf = {
  kind: 'leaf'
  take(feed: FeedDraft, text: ElementText, attributes: Attributes, site: Site): void
  /** The container rule to use instead if the attributes say that the element holds several of its own kind. */
  severalIn: ((attributes: Attributes) => Container | null) | null
}

export type Container = {
  kind: 'container'
  place: Place | 'inherit'
  /** `around`: where the element itself is. `base`: the base for links in it. */
  open?(feed: FeedDraft, attributes: Attributes, around: Site, base: string | null): void
  close?(feed: FeedDraft, around: Site, text: string): void
  /** `close` gets the text in the element. For elements that hold either elements or a text. */
  collects?: true
  /** Elements of this kind are never nested: a second one means that the first was not closed. */
  flat?: true
}

export type Rule = Leaf | Container
export type Vocabulary = Record<string, Rule>

export function leaf(take: Leaf['take'], severalIn: Leaf['severalIn'] = null): Leaf {
  return { kind: 'leaf', take, severalIn }
}
