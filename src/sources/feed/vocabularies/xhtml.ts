/** XHTML beside the feed's own elements: a body in an entry is its content, a whole page is no feed. */
import { leaf, type Vocabulary } from '../vocabulary.ts'

const body = leaf((feed, text, _attributes, { place, depth }) => {
  if (place === 'entry') feed.entry?.addText('contents', { text, kind: 'xhtml', rank: 0, depth })
})

/** Swallowed whole, so that nothing in a page is mistaken for part of a feed. */
const page = leaf(() => {})

export const xhtml: Vocabulary = { body, 'xhtml:body': body, 'xhtml:div': body, html: page, 'xhtml:html': page }
