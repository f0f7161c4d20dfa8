/**
 * The content module of RSS 1.0, which RSS 2.0 feeds use too: the whole text beside a short description. Also the
 * elements in which Yandex expects the whole text.
 */
import { textKind } from './text-kind.ts'
import { type Container, type Leaf, leaf, type Vocabulary } from './vocabulary.ts'

function wholeText(rank: number): Leaf {
  return leaf((feed, text, attributes, { place, depth, base }) => {
    const kind = textKind(attributes, 'html')
    if (place === 'entry') feed.entry?.addText('contents', { text, kind, rank, depth, base })
  })
}

/** The older form of the module: several items, each with a value and facts about it. */
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
