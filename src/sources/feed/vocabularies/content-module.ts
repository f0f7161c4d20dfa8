/**
 * The content module of RSS 1.0, which RSS 2.0 lives on: the whole text beside a short description. And what Yandex
 * wants the whole text put into instead, from those whose news it shows.
 */
import { textKind } from './text-kind.ts'
import { type Container, type Leaf, leaf, type Vocabulary } from './vocabulary.ts'

function wholeText(rank: number): Leaf {
  return leaf((feed, text, attributes, { place, depth }) => {
    if (place === 'entry') feed.entry?.addText('contents', { text, kind: textKind(attributes, 'html'), rank, depth })
  })
}

/** What the module had before `encoded`: any number of items, each with its value among facts about it. */
const contentItem: Container = { kind: 'container', place: 'packed' }

const value = leaf((feed, text, attributes, { place, depth }) => {
  if (place === 'packed') feed.entry?.addText('contents', { text, kind: textKind(attributes, 'html'), rank: 3, depth })
  else if (place === 'person' && feed.person) feed.person.name ||= text.plain('guess')
})

export const contentModule: Vocabulary = {
  'content:item': contentItem,
  'rdf:value': value,
  'content:encoded': wholeText(0),
  'yandex:full-text': wholeText(1),
  'turbo:content': wholeText(2),
}
