/** RSS 0.9x, 1.0 and 2.0: the elements that Atom does not have. */
import { decodeEntities } from '../../html/entities.ts'
import { PICTURE_RANK, SUMMARY_RANK } from '../draft/written-values.ts'
import { Attributes } from '../elements/attributes.ts'
import { readCdfAttributes } from './cdf.ts'
import { keywords } from './media.ts'
import { wholeNumber } from './numbers.ts'
import { textKind } from './text-kind.ts'
import { type Container, leaf, type Rule, type Vocabulary } from './vocabulary.ts'

const root: Container = {
  kind: 'container',
  place: 'inherit',
  open(feed, attributes) {
    feed.isFeed = true
    feed.isRss = true
    feed.xmlLanguage ??= attributes.get('xml:lang')
  },
}

/** Some feeds have no channel element. */
const rssRoot: Container = { ...root, place: 'feed' }

const channel: Rule = {
  kind: 'container',
  place: 'feed',
  open(feed, attributes, around, base) {
    // TV guides have channels too: under an unknown root, only an item, a title or a link makes the document a feed.
    if (around.depth === 0) feed.isFeed = true
    feed.isRss = true
    feed.xmlLanguage = attributes.get('xml:lang') ?? feed.xmlLanguage
    readCdfAttributes(feed, attributes, base)
  },
  close(feed) {
    feed.isFeed ||= feed.titles.length + feed.links.length > 0
  },
}

const item: Rule = {
  kind: 'container',
  place: 'entry',
  flat: true,
  open(feed, attributes, _around, base) {
    // In RSS 1.0 the items follow the channel instead of standing inside it.
    if (feed.isRss) feed.isFeed = true
    const entry = feed.startEntry()
    if (entry === null || attributes === Attributes.none) return
    entry.language = attributes.get('xml:lang')
    entry.about = attributes.local('about')
    readCdfAttributes(feed, attributes, base)
  },
  close(feed) {
    feed.endEntry()
  },
}

/** Its title, link and description do not belong to the feed or entry. */
const aside: Rule = { kind: 'container', place: 'aside' }

/** Its address is a child element or its only text. */
const image: Rule = {
  kind: 'container',
  place: 'aside',
  collects: true,
  close(feed, { place, depth, base }, text) {
    const href = decodeEntities(text, true).trim()
    if (href === '') return
    if (place === 'feed') feed.addPicture('images', { href, base, rel: 'image', type: null, depth })
    if (place === 'entry') feed.entry?.addPicture({ href, base, rank: PICTURE_RANK.own, width: 0 })
  },
}

const description = leaf((feed, text, attributes, { place, depth, base }) => {
  const ranked = { text, kind: textKind(attributes, 'html'), rank: SUMMARY_RANK.description, depth, base }
  if (place === 'entry') feed.entry?.addText('summaries', ranked)
})

const fullText = leaf((feed, text, attributes, { place, depth, base }) => {
  const kind = textKind(attributes, 'html')
  if (place === 'entry') feed.entry?.addText('contents', { text, kind, rank: 0, depth, base })
})

const guid = leaf((feed, text, attributes, { place, depth, base }) => {
  if (place !== 'entry') return
  const permaLink = attributes.lower('ispermalink')
  feed.entry?.addGuid({ text, permaLink: permaLink === null ? null : permaLink === 'true', base, depth })
})

const pubDate = leaf((feed, text, _attributes, { place, depth }) => {
  if (place === 'entry') feed.entry?.addDate('published', { text, rank: 0, depth })
})

const lastBuildDate = leaf((feed, text, _attributes, { place, depth }) => {
  if (place === 'entry') feed.entry?.addDate('updated', { text, rank: 0, depth })
})

const language = leaf((feed, text, _attributes, { place }) => {
  if (place === 'feed') feed.language ??= text.value() || null
  else if (place === 'entry' && feed.entry) feed.entry.language ??= text.value() || null
})

const ttl = leaf((feed, text, _attributes, { place }) => {
  const minutes = Number.parseInt(text.value(), 10)
  if (place === 'feed' && minutes > 0 && Number.isSafeInteger(minutes)) feed.ttlMinutes ??= minutes
})

const hour = leaf((feed, text, _attributes, { place }) => {
  const value = /^\s*\d{1,2}\s*$/.test(text.value()) ? Number(text.value()) % 24 : -1
  if (place === 'feed' && value >= 0 && !feed.skipHours.includes(value)) feed.skipHours.push(value)
})

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

const day = leaf((feed, text, _attributes, { place }) => {
  const start = text.value().slice(0, 3).toLowerCase()
  const name = DAYS.find((known) => known.slice(0, 3).toLowerCase() === start)
  if (place === 'feed' && name && !feed.skipDays.includes(name)) feed.skipDays.push(name)
})

/** Used only inside an image: of the feed, or of an entry. */
const url = leaf((feed, text, _attributes, { place, depth, base }) => {
  if (place !== 'aside') return
  if (feed.entry) feed.entry.addPicture({ href: text, base, rank: PICTURE_RANK.own, width: 0 })
  else feed.addPicture('images', { href: text, base, rel: 'image', type: null, depth })
})

const enclosure = leaf((feed, _text, attributes, { place, base }) => {
  const href = place === 'entry' ? attributes.firstOf(['url', 'href']) : null
  const [type, length] = [attributes.lower('type'), wholeNumber(attributes.get('length'))]
  if (href !== null) feed.entry?.addEnclosure({ href, base, type, length, seconds: null })
})

const comments = leaf((feed, text, _attributes, { place, depth, base }) => {
  if (place === 'entry') feed.entry?.addComments({ href: text, base, rel: 'comments', type: null, depth })
})

export const rss: Vocabulary = {
  rss: rssRoot,
  'rdf:rdf': root,
  channel,
  item,
  image,
  textinput: aside,
  source: { kind: 'container', place: 'source' },
  description,
  fullitem: fullText,
  guid,
  enclosure,
  comments,
  pubdate: pubDate,
  lastbuilddate: lastBuildDate,
  language,
  ttl,
  hour,
  day,
  url,
  keywords,
  tags: keywords,
  tag: keywords,
}
