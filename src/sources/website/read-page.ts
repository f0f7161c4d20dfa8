/**
 * Reads a web page: title, main text, and what the page states about its author, date, address and language.
 * Takes bytes and returns a page, or throws a PageError that says why there is nothing to read.
 * The function is pure and synchronous. Size, depth and text length are capped, and the cost is linear.
 * Callers run it in a thread with a time limit.
 */

import { firstChars } from '../feed/limits.ts'
import { cleanHtml } from '../html/clean-html.ts'
import { decodeText } from '../text/charset.ts'
import { languageTag } from '../text/language-tag.ts'
import { rejectBlockedPage } from './blocked-pages.ts'
import { jsonLdArticle } from './facts/json-ld.ts'
import type { PageFacts } from './facts/page-facts.ts'
import { statedAuthor } from './facts/stated-author.ts'
import { statedDate } from './facts/stated-date.ts'
import { capText, MAX_TEXT_CHARS, mainText } from './main-text/main-text.ts'
import { PageError } from './page-error.ts'
import { scanPage } from './tree/scan-page.ts'

export type PageContext = { contentType?: string | undefined; url: string }
export type Page = {
  title: string
  text: string
  /** The main content as clean HTML. */
  html: string | null
  author: string | null
  /** Epoch ms, as stated by the page. */
  publishedAt: number | null
  canonicalUrl: string | null
  /** As BCP 47, as stated by the page. */
  language: string | null
  /** The picture that the page states for itself. */
  image: string | null
  /** What robots meta tags state about use by AI (`noai`, `noimageai`). */
  usagePreferences: string | null
  /** One sentence for each thing that was cut. */
  truncated: readonly string[]
}

const MAX_TITLE_CHARS = 1_000

export function readPage(bytes: Uint8Array, { contentType, url }: PageContext): Page {
  if (bytes.length === 0) throw new PageError('empty')
  const html = decodeText(bytes, { contentType, kind: 'html' }).text
  if (html.trim() === '') throw new PageError('empty')
  if (isBinary(html)) throw new PageError('not-a-page')
  if (/^\s*text\/plain\b/i.test(contentType ?? '')) return plainPage(html)
  const scan = scanPage(html)
  const { facts } = scan
  const article = jsonLdArticle(facts.jsonLd)
  const pageTitles = [facts.title, facts.meta.get('og:title'), article?.headline].filter((title) => title != null)
  const titles = facts.heading === null ? pageTitles : [...pageTitles, facts.heading]
  const main = mainText(html, scan, { titles, pageTitles, statedText: article?.body ?? null })
  const { text, cut } = main
  rejectBlockedPage(text, facts)
  const title = titleOf(facts)
  const base = absolute(facts.base, url) ?? url
  return {
    title: firstChars(title, MAX_TITLE_CHARS),
    text,
    html: cleanHtml(main.html, base).html,
    author: statedAuthor(facts, article),
    publishedAt: statedDate(facts, article),
    canonicalUrl: absolute(facts.canonical ?? facts.meta.get('og:url') ?? null, url),
    language: languageTag(facts.language) ?? languageTag(facts.meta.get('og:locale')),
    image: absolute(firstOf(facts, IMAGE_FACTS), base),
    usagePreferences: usageIn(facts),
    truncated: cutsIn(title, cut),
  }
}

const IMAGE_FACTS = ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src']

function firstOf({ meta }: PageFacts, names: readonly string[]): string | null {
  return names.map((name) => meta.get(name)).find((value) => value !== undefined) ?? null
}

function usageIn({ meta }: PageFacts): string | null {
  const words = (meta.get('robots') ?? '').toLowerCase().split(/[\s,]+/)
  return ['noai', 'noimageai'].filter((word) => words.includes(word)).join(', ') || null
}

function titleOf(facts: PageFacts): string {
  const title = facts.title ?? facts.meta.get('og:title') ?? facts.heading ?? ''
  return title.replace(/\s+/g, ' ').trim()
}

function cutsIn(title: string, textCut: boolean): string[] {
  const notes: string[] = []
  if (title.length > MAX_TITLE_CHARS) notes.push(`the title was cut to ${MAX_TITLE_CHARS} characters`)
  if (textCut) notes.push(`the text was cut to ${MAX_TEXT_CHARS} characters`)
  return notes
}

function plainPage(raw: string): Page {
  const whole = raw
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  const { text, cut, html } = capText(whole)
  const title = text.split('\n', 1)[0]?.slice(0, 100) ?? ''
  return {
    title,
    text,
    html,
    author: null,
    publishedAt: null,
    canonicalUrl: null,
    language: null,
    image: null,
    usagePreferences: null,
    truncated: cutsIn(title, cut),
  }
}

/** Text has almost no control characters. Images, archives and PDFs have many. */
function isBinary(text: string): boolean {
  const head = text.slice(0, 4_096)
  if (head.startsWith('%PDF-')) return true
  const controls = head.match(/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/g)?.length ?? 0
  return controls > head.length * 0.1
}

function absolute(address: string | null, url: string): string | null {
  if (!address || !URL.canParse(address, url)) return null
  const resolved = new URL(address, url)
  return resolved.protocol === 'http:' || resolved.protocol === 'https:' ? resolved.href : null
}
