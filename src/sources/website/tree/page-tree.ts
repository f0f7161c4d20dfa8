/**
 * A page as a tree with one `html`, one `body`, and everything that is not head inside that body, as a browser would show it.
 * linkedom takes tags as they come: a head left open swallows the body, and a script between the two hides it.
 */
import { parseHTML } from 'linkedom'
import { elementsBelow, isElement, type PageDocument, type PageElement, type PageNode } from './dom.ts'
import type { Survey } from './survey-page.ts'

export type PageTree = { document: PageDocument; body: PageElement }

export function pageTree(html: string, { hasHtml, hasBody }: Pick<Survey, 'hasHtml' | 'hasBody'>): PageTree | null {
  const whole = hasBody ? (hasHtml ? html : `<html>${html}</html>`) : `<html><head></head><body>${html}</body></html>`
  // The types of linkedom are those of the browser, which this project does not load.
  const document = parseHTML(whole).document as unknown as PageDocument
  const root = document.documentElement
  if (!root) return null
  gatherBody(root)
  openShadows(root)
  return document.body ? { document, body: document.body } : null
}

function gatherBody(root: PageElement): void {
  const [body, ...others] = elementsBelow(root).filter((element) => element.localName === 'body')
  if (!body) return
  for (const other of others) while (other.firstChild) body.append(other.firstChild)
  if (body.parentNode !== root) root.append(body)
  const strays: PageNode[] = []
  for (let child = root.firstChild; child && child !== body; child = child.nextSibling)
    if (!isHead(child)) strays.push(child)
  for (const stray of strays.reverse()) body.prepend(stray)
}

/** A component's text that comes with the page is part of the page; a browser shows it in place. */
function openShadows(root: PageElement): void {
  for (const template of elementsBelow(root)) {
    const host = template.parentNode
    if (template.localName !== 'template' || !template.hasAttribute('shadowrootmode') || !host) continue
    const children: PageNode[] = []
    for (let child = template.firstChild; child; child = child.nextSibling) children.push(child)
    for (const child of children.reverse()) host.prepend(child)
    template.remove()
  }
}

const isHead = (node: PageNode): boolean => isElement(node) && node.localName === 'head'
