/**
 * Tracks where each date stands, while the page is streamed.
 * A date inside the article is the page's: the article with the heading, or else the first article.
 * Dates in the surroundings are never the page's: asides, navigation, the site's header and footer, other articles,
 * and comments, which are articles inside the article.
 */

export type PositionedDate = { readonly value: string; readonly article: number; readonly inMain: boolean }

const SURROUNDING_TAGS = new Set(['aside', 'nav'])
const SURROUNDING_ROLE = /^(?:complementary|navigation|contentinfo|banner|search)$/i
const SURROUNDING_NAME =
  /(?:^|\s)(?:sidebar|widget(?:[-_]area)?|related(?:[-_](?:posts|articles|stories|content|news))?|comments?|comment-?list|most-?read|trending)(?=\s|$)/i
const ARTICLE_HEADER_NAME = /(?:^|\s)(?:entry|post|article|story|news|content)(?:[-_]|\s|$)/i
const WHOLE_PAGE = new Set(['html', 'body', 'main', 'article', 'time'])

export class DatePositions {
  #depth = 0
  /** The depths at which the current element of each kind started. 0 means: not inside one. */
  #surroundingDepth = 0
  #articleDepth = 0
  #mainDepth = 0
  #articleCount = 0
  /** The number of the article that contains the first h1. */
  #headedArticle: number | null = null

  open(name: string, attributes: Record<string, string>): void {
    this.#depth++
    if (this.#surroundingDepth > 0) return
    if (this.#isSurrounding(name, attributes)) this.#surroundingDepth = this.#depth
    else if (name === 'article') {
      this.#articleDepth = this.#depth
      this.#articleCount++
    } else if (name === 'main' || attributes.role === 'main') this.#mainDepth ||= this.#depth
    else if (name === 'h1' && this.#articleDepth > 0) this.#headedArticle ??= this.#articleCount
  }

  close(): void {
    if (this.#surroundingDepth === this.#depth) this.#surroundingDepth = 0
    if (this.#articleDepth === this.#depth) this.#articleDepth = 0
    if (this.#mainDepth === this.#depth) this.#mainDepth = 0
    this.#depth--
  }

  /** null: a date here is not the page's. */
  positioned(value: string): PositionedDate | null {
    if (this.#surroundingDepth > 0) return null
    return { value, article: this.#articleDepth > 0 ? this.#articleCount : 0, inMain: this.#mainDepth > 0 }
  }

  /** Dates in the article first, then those in `<main>`, then the rest; each group in the order of the page. */
  ranked(found: readonly PositionedDate[]): string[] {
    const own = this.#headedArticle ?? 1
    const rank = ({ article, inMain }: PositionedDate): number => (article > 0 ? 0 : inMain ? 1 : 2)
    return found
      .filter(({ article }) => article === 0 || article === own)
      .sort((a, b) => rank(a) - rank(b))
      .map(({ value }) => value)
  }

  #isSurrounding(name: string, { role = '', class: names = '', id = '' }: Record<string, string>): boolean {
    if (SURROUNDING_TAGS.has(name) || SURROUNDING_ROLE.test(role)) return true
    if (name === 'article') return this.#articleDepth > 0
    if (name === 'footer') return this.#articleDepth === 0
    if (name === 'header') return this.#articleDepth === 0 && this.#mainDepth === 0 && !ARTICLE_HEADER_NAME.test(names)
    return !WHOLE_PAGE.has(name) && (SURROUNDING_NAME.test(names) || SURROUNDING_NAME.test(id))
  }
}
