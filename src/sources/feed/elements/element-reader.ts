/**
 * Applies the rules of the vocabularies to the tags and texts that a scan reports, in document order.
 *
 * An element is either a leaf, whose text is passed to its rule, or stays open around others. Inside a leaf only its
 * end matters. The end of the document closes everything. All positions are offsets in the text given to `begin`.
 */
import type { FeedDraft } from '../draft/feed-draft.ts'
import type { Leaf, Site } from '../vocabularies/vocabulary.ts'
import { isOfPage } from '../vocabularies/xhtml.ts'
import { Attributes } from './attributes.ts'
import { CDATA, ElementText, MARKUP, NOISE, type Seen, unclosedSection } from './element-text.ts'
import { OpenElements } from './open-elements.ts'
import { OpenLeaf } from './open-leaf.ts'
import { OpenTag } from './open-tag.ts'
import { endsLeaf } from './unclosed-elements.ts'

export class ElementReader {
  readonly #feed: FeedDraft
  readonly #elements: OpenElements
  readonly #tag: OpenTag
  readonly leaf = new OpenLeaf()
  /** The rule for links, directly after a link element that was empty. */
  #emptyLink: Leaf | null = null
  #source = ''

  constructor(documentUrl: string, feed: FeedDraft) {
    this.#feed = feed
    this.#elements = new OpenElements(feed)
    this.#tag = new OpenTag(documentUrl)
  }

  /** A new text follows: the document or its next part. */
  begin(source: string, seenInText: Seen): void {
    this.#source = source
    this.leaf.source = source
    this.leaf.seenInText = seenInText
  }

  /** The name of the innermost open element; empty if there is none. */
  get innermostName(): string {
    return this.leaf.rule ? this.leaf.name : this.#elements.innermost.written
  }

  /** The name of a start tag was read. Its attributes follow, then `finishStartTag` or `finishEmptyTag`. */
  startTag(tagStart: number, name: string): void {
    this.#emptyLink = null
    this.#tag.begin(tagStart, name)
    if (this.leaf.rule && endsLeaf(name, this.leaf, this.#feed.isRss)) this.leaf.finish(tagStart, this.#feed)
  }

  /** `name` in lower case, `value` as written. */
  attribute(name: string, value: string): void {
    this.#tag.addAttribute(name, value)
  }

  /** `inner`: the position behind the tag. */
  finishStartTag(inner: number): void {
    if (this.leaf.rule) {
      this.leaf.openInside(this.#tag.written)
      return
    }
    const around = this.#elements.makeRoom(this.#tag.written)
    if (!around) return
    const scope = this.#tag.reachesInside ? this.#tag.scopeWithin(around.scope, around.written === '') : around.scope
    const known = scope.ruleFor(this.#tag.written)
    const attributes = this.#tag.attributes()
    const rule = known?.kind === 'leaf' && known.severalIn ? (known.severalIn(attributes) ?? known) : known
    if (rule?.kind !== 'leaf') this.#elements.open(this.#tag, rule, attributes, scope)
    // Leaves before the root of the feed mean nothing. A page may have put a <link> without an end tag there.
    else if (around.inside.place === 'outside' && !isOfPage(rule)) {
      this.#elements.open(this.#tag, null, attributes, scope)
    } else this.#openLeaf(rule, attributes, around.inside, inner)
  }

  /** A tag that closes itself. `inner`: the position behind it. */
  finishEmptyTag(inner: number): void {
    const written = this.#tag.written
    this.finishStartTag(inner)
    if (!this.leaf.rule) this.#elements.close(written)
    // Either the leaf itself is empty, or an element of the same name inside it.
    else if (this.leaf.start === inner) this.#finishEmptyLeaf(inner)
    else if (this.leaf.name === written) this.leaf.closeInside()
  }

  endTag(tagStart: number, name: string): void {
    if (!this.leaf.rule) this.#elements.close(name)
    else if (isSameName(name, this.leaf.name)) {
      if (!this.leaf.closeInside()) this.leaf.finish(tagStart, this.#feed)
    } else this.#endTagInLeaf(tagStart, name)
  }

  text(start: number, end: number): void {
    if (this.leaf.rule) return
    if (this.#elements.collects) this.#elements.collect(this.#source.slice(start, end))
    if (this.#emptyLink) this.#takeLinkBehind(start, end)
  }

  /** The characters of a CDATA section. */
  cdata(start: number, end: number, isClosed: boolean): void {
    if (this.leaf.rule) this.leaf.see(CDATA)
    else if (this.#elements.collects) {
      const text = this.#source.slice(start, end)
      // Collected text is decoded later, but nothing in a section is a reference.
      this.#elements.collect((isClosed ? text : unclosedSection(text)).replaceAll('&', '&amp;'))
    }
  }

  /** A comment, a declaration or a processing instruction. */
  noise(): void {
    this.leaf.see(NOISE)
  }

  /** The document is over. */
  end(): void {
    this.leaf.finishCut(this.#feed)
    this.#elements.closeCut()
  }

  /** Tools that take a feed for HTML write the text of a link behind the element, because links in HTML have none. */
  #finishEmptyLeaf(end: number): void {
    const { rule, name } = this.leaf
    this.leaf.finish(end, this.#feed)
    if (this.#feed.isRss && name === 'link' && this.#tag.attributes() === Attributes.none) this.#emptyLink = rule
  }

  #takeLinkBehind(start: number, end: number): void {
    const text = new ElementText(this.#source, start, end, this.leaf.seenInText)
    this.#emptyLink?.take(this.#feed, text, Attributes.none, this.#elements.innermost.inside)
    this.#emptyLink = null
  }

  #openLeaf(rule: Leaf, attributes: Attributes, site: Site, start: number): void {
    const base = this.#tag.reachesInside ? this.#tag.baseWithin(site, attributes) : site.base
    this.leaf.open(rule, this.#tag, attributes, base === site.base ? site : { ...site, base }, start)
  }

  /** An end tag of another element: if that element is around the leaf, the leaf was never closed. */
  #endTagInLeaf(tagStart: number, name: string): void {
    const depth = this.#elements.around(name)
    if (depth >= 0) {
      this.leaf.finish(tagStart, this.#feed)
      this.#elements.closeFrom(depth)
    } else this.leaf.see(MARKUP)
  }
}

/** Some feeds close <Title> with </title>. */
function isSameName(one: string, other: string): boolean {
  if (one === other) return true
  return one.length === other.length && one.toLowerCase() === other.toLowerCase()
}
