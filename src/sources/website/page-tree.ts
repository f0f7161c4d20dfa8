/** A page as a tree, whatever the page left out: `html` and `body` are always there. */
import { parseHTML } from 'linkedom'
import type { PageDocument, PageElement } from './dom.ts'
import type { Survey } from './survey.ts'

export type PageTree = { document: PageDocument; body: PageElement }

export function pageTree(html: string, { hasHtml, hasBody }: Survey): PageTree | null {
  // linkedom takes tags as they come: without these two it would make the first paragraph the document.
  const whole = hasBody ? (hasHtml ? html : `<html>${html}</html>`) : `<html><head></head><body>${html}</body></html>`
  const document = parseHTML(whole).document as unknown as PageDocument
  return document.documentElement && document.body ? { document, body: document.body } : null
}
