/**
 * The content module of RSS 1.0, which RSS 2.0 lives on: the whole text beside a short description. And what Yandex
 * wants the whole text put into instead, from those whose news it shows.
 */
import { textKind } from '../text-kind.ts'
import { type Leaf, leaf, type Vocabulary } from '../vocabulary.ts'

function wholeText(rank: number): Leaf {
  return leaf((feed, text, attributes, { place, depth }) => {
    if (place === 'entry') feed.entry?.addText('contents', { text, kind: textKind(attributes, 'html'), rank, depth })
  })
}

export const contentModule: Vocabulary = {
  'content:encoded': wholeText(0),
  'yandex:full-text': wholeText(1),
  'turbo:content': wholeText(2),
}
