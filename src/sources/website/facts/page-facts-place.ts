/**
 * Where on a page a date stands, told while the page streams by. A date belongs to the article when it stands in it: in the
 * article that holds the heading, else in the first. Dates of what stands around (asides, navigation, the site's header and
 * footer, comments, which are articles within the article, other articles beside it) are never the page's.
 */

export type Placed = { readonly value: string; readonly article: number; readonly inMain: boolean }

const AROUND = new Set(['aside', 'nav'])
const AROUND_ROLE = /^(?:complementary|navigation|contentinfo|banner|search)$/i
const AROUND_NAME =
  /(?:^|\s)(?:sidebar|widget(?:[-_]area)?|related(?:[-_](?:posts|articles|stories|content|news))?|comments?|comment-?list|most-?read|trending)(?=\s|$)/i
const ARTICLES_HEADER = /(?:^|\s)(?:entry|post|article|story|news|content)(?:[-_]|\s|$)/i
const WHOLE_PAGE = new Set(['html', 'body', 'main', 'article', 'time'])

export class PlaceOnPage {
  #depth = 0
  /** Depths at which the present one of each began; 0: not in one. */
  #around = 0
  #article = 0
  #main = 0
  #articles = 0
  #headed: number | null = null

  open(name: string, attributes: Record<string, string>): void {
    this.#depth++
    if (this.#around > 0) return
    if (this.#isAround(name, attributes)) this.#around = this.#depth
    else if (name === 'article') {
      this.#article = this.#depth
      this.#articles++
    } else if (name === 'main' || attributes.role === 'main') this.#main ||= this.#depth
    else if (name === 'h1' && this.#article > 0) this.#headed ??= this.#articles
  }

  close(): void {
    if (this.#around === this.#depth) this.#around = 0
    if (this.#article === this.#depth) this.#article = 0
    if (this.#main === this.#depth) this.#main = 0
    this.#depth--
  }

  /** null: nothing here speaks of the page. */
  placed(value: string): Placed | null {
    if (this.#around > 0) return null
    return { value, article: this.#article > 0 ? this.#articles : 0, inMain: this.#main > 0 }
  }

  /** The article's own first, then what stands beside it in the main part, then the rest; as the page has them otherwise. */
  best(found: readonly Placed[]): string[] {
    const own = this.#headed ?? 1
    const rank = ({ article, inMain }: Placed): number => (article > 0 ? 0 : inMain ? 1 : 2)
    return found
      .filter(({ article }) => article === 0 || article === own)
      .sort((a, b) => rank(a) - rank(b))
      .map(({ value }) => value)
  }

  #isAround(name: string, { role = '', class: names = '', id = '' }: Record<string, string>): boolean {
    if (AROUND.has(name) || AROUND_ROLE.test(role)) return true
    if (name === 'article') return this.#article > 0
    if (name === 'footer') return this.#article === 0
    if (name === 'header') return this.#article === 0 && this.#main === 0 && !ARTICLES_HEADER.test(names)
    return !WHOLE_PAGE.has(name) && (AROUND_NAME.test(names) || AROUND_NAME.test(id))
  }
}
