/**
 * Removes boxes in which a reader leaves an email address: newsletters, alerts, paywalls.
 * The field tells what the box is for, in any language. The box is the widest element around the field that has little
 * text and does not hold the main content.
 */
import { ancestorsOf, descendants, type PageElement } from '../tree/dom.ts'
import { measureProse, type Prose } from '../tree/prose.ts'

const MAX_BOX_CHARS = 250
const MAX_SHARE = 0.3
const MAIN_CONTENT = new Set(['h1', 'article', 'main'])

export function removeSignUpBoxes(body: PageElement): void {
  const elements = descendants(body)
  const fields = elements.filter(isEmailField)
  if (fields.length === 0) return
  const content = elements.filter(({ localName }) => MAIN_CONTENT.has(localName))
  const kept = new Set([body, ...content, ...ancestorsOf(content)])
  const prose = measureProse(body)
  for (const field of fields) boxAround(field, kept, prose, prose(body))?.remove()
}

const isEmailField = (element: PageElement): boolean =>
  element.localName === 'input' &&
  (element.getAttribute('type')?.toLowerCase() === 'email' || /e-?mail/i.test(element.getAttribute('name') ?? ''))

function boxAround(
  field: PageElement,
  kept: ReadonlySet<PageElement>,
  prose: Prose,
  total: number,
): PageElement | null {
  const limit = Math.min(MAX_BOX_CHARS, total * MAX_SHARE)
  let box: PageElement | null = null
  for (let at = field.parentNode; at && !kept.has(at) && prose(at) <= limit; at = at.parentNode) box = at
  return box
}
