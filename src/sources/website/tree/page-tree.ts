/**
 * Parses a page into a tree with one `html` and one `body`. Everything outside `head` ends up in that body, as in a browser.
 * linkedom does not repair tags: an unclosed head would contain the body, and a script between head and body would hide it.
 */
import { parseHTML } from 'linkedom'
import { descendants, isElement, isText, type PageDocument, type PageElement, type PageNode } from './dom.ts'
import { makeNodesLight } from './light-nodes.ts'
import type { PageScan } from './scan-page.ts'

makeNodesLight(parseHTML('<html></html>').document)

export type PageTree = { document: PageDocument; body: PageElement }

type Tags = Pick<PageScan, 'hasHtml' | 'bodies'>

export function pageTree(html: string, { hasHtml, bodies }: Tags): PageTree | null {
  const hasBody = bodies > 0
  const whole = hasBody ? (hasHtml ? html : `<html>${html}</html>`) : `<html><head></head><body>${html}</body></html>`
  // linkedom's types are the browser's DOM types, which this project does not load.
  const document = parseHTML(whole).document as unknown as PageDocument
  const root = document.documentElement
  if (!root) return null
  if (!hasOneBody(root, bodies)) moveAllIntoBody(root)
  if (/shadowrootmode/i.test(html)) inlineShadowRoots(root)
  return document.body ? { document, body: document.body } : null
}

/** Most pages have one body, behind the head. Then no other has to be looked for. */
function hasOneBody(root: PageElement, bodies: number): boolean {
  if (bodies > 1) return false
  for (let child = root.firstChild; child; child = child.nextSibling) {
    if (isElement(child) && child.localName === 'body') return true
    if (isElement(child) ? child.localName !== 'head' : isText(child) && child.textContent?.trim() !== '') return false
  }
  return false
}

function moveAllIntoBody(root: PageElement): void {
  const [body, ...others] = descendants(root).filter((element) => element.localName === 'body')
  if (!body) return
  for (const other of others) while (other.firstChild) body.append(other.firstChild)
  if (body.parentNode !== root) root.append(body)
  const strays: PageNode[] = []
  for (let child = root.firstChild; child && child !== body; child = child.nextSibling)
    if (!isHead(child)) strays.push(child)
  for (const stray of strays.reverse()) body.prepend(stray)
}

/** A declarative shadow root is part of the page: a browser shows its text in place. */
function inlineShadowRoots(root: PageElement): void {
  for (const template of descendants(root)) {
    const host = template.parentNode
    if (template.localName !== 'template' || !template.hasAttribute('shadowrootmode') || !host) continue
    const children: PageNode[] = []
    for (let child = template.firstChild; child; child = child.nextSibling) children.push(child)
    for (const child of children.reverse()) host.prepend(child)
    template.remove()
  }
}

const isHead = (node: PageNode): boolean => isElement(node) && node.localName === 'head'
