/** The content module of RSS 1.0, which RSS 2.0 lives on: the whole text beside a short description. */
import { textKind } from '../text-kind.ts'
import { leaf, type Vocabulary } from '../vocabulary.ts'

const encoded = leaf((feed, text, attributes, { place, depth }) => {
  if (place === 'entry') feed.entry?.addText('contents', { text, kind: textKind(attributes, 'html'), rank: 0, depth })
})

export const contentModule: Vocabulary = { 'content:encoded': encoded }
