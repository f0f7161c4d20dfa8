/**
 * Finds the lead of an article: a paragraph between its heading and the element that the page marks as its body.
 * A lead is recognised by its name, or by its place: a sentence below the `<h1>` that is not the caption of a picture.
 * A shorter line is a subheadline. It belongs to the title, and the title is not part of the text.
 */
import { endsSentence } from '../blocks/paragraphs.ts'
import { nameWords } from '../boilerplate/class-name-words.ts'
import { CREDIT } from '../boilerplate/phrases.ts'
import { ancestorsOf, descendants, isElement, nextNode, type PageElement } from '../tree/dom.ts'

const LEAD_NAME =
  / (?:lead|leadtext|lede|perex|standfirst|intro|introtext|introduction|summary|subtitle|subheading|subheadline|subhead|subline|dek|deck|excerpt|abstract|teaser text|article teaser|description|vorspann|chapo|entradilla|bajada|sommario) /
const SENTENCE_TAGS = new Set(['p', 'h2', 'h3', 'h4', 'div', 'section', 'strong'])
const BLOCK_TAGS = new Set(
  'p h1 h2 h3 h4 h5 h6 div section ul ol table figure header article blockquote form'.split(' '),
)
const PICTURES = new Set(['img', 'picture', 'video', 'amp-img'])
const MIN_LEAD_CHARS = 120

/** The leads above `kept`, in the order of the page. None of them is inside another one. */
export function leadsAbove(body: PageElement, kept: PageElement): PageElement[] {
  const holders = ancestorsOf([kept])
  const holdsPicture = pictureBoxes()
  const isLead = (element: PageElement, isBelowHeading: boolean): boolean =>
    !holders.has(element) &&
    (hasLeadName(element) || (isBelowHeading && isSentence(element) && !holdsPicture(element.parentNode)))
  const leads: PageElement[] = []
  let isBelowHeading = false
  for (let node = nextNode(body, body); node && node !== kept; ) {
    const found: PageElement | null = isElement(node) && isLead(node, isBelowHeading) ? node : null
    if (found) leads.push(found)
    if (isElement(node) && node.localName === 'h1') isBelowHeading = true
    node = nextNode(body, node, found !== null || (isElement(node) && node.localName === 'figure'))
  }
  return leads
}

const hasLeadName = (element: PageElement): boolean =>
  LEAD_NAME.test(nameWords(element)) && textOf(element).length >= MIN_LEAD_CHARS

function isSentence(element: PageElement): boolean {
  if (!SENTENCE_TAGS.has(element.localName)) return false
  const inside = descendants(element)
  if (inside.some(({ localName }) => BLOCK_TAGS.has(localName))) return false
  const text = textOf(element)
  const links = inside.filter(({ localName }) => localName === 'a').reduce((sum, link) => sum + textOf(link).length, 0)
  return text.length >= MIN_LEAD_CHARS && endsSentence(text) && !CREDIT.test(text) && links < text.length / 2
}

/**
 * Returns a test for boxes with a picture: a sentence there is its caption. A box with the heading of the article is more
 * than that. Each box is searched once, because it may hold thousands of paragraphs.
 */
function pictureBoxes(): (box: PageElement | null) => boolean {
  const known = new Map<PageElement | null, boolean>()
  return (box) => {
    const before = known.get(box)
    if (before !== undefined) return before
    const names = box ? descendants(box).map(({ localName }) => localName) : []
    const found = names.some((name) => PICTURES.has(name)) && !names.includes('h1')
    known.set(box, found)
    return found
  }
}

const textOf = (element: PageElement): string => (element.textContent ?? '').replace(/\s+/g, ' ').trim()
