/**
 * Searches for documents that are expensive for the feed reader: fragments of markup, alone and in groups of two to five,
 * repeated in text, markup or escaped markup. The promise is 50 ms plus 100 ns per byte.
 * Prints the most expensive ones, in nanoseconds of CPU time per byte.
 *
 *   node bench/feed-floods.ts [bytes] [seed]
 */
import { FeedError } from '../src/sources/feed/feed-error.ts'
import { readFeed } from '../src/sources/feed/read-feed.ts'

const PIECES = [
  ...['<', '>', '</', '< ', '<!', '<?', '?>', '/>', '<!--', '-->', '<![CDATA[', ']]>', ']]', '"', "'", '=', ';', '&'],
  ...['<p>', '</p>', '<b>', '</b>', '<br/>', '<a b="', "<a b='c", ' c="d"', '<script>', '</script>'],
  ...['x', ' ', '\n', '\u00a0', '\u200b', '\u00e9', '\u2014', '&amp;', '&lt;', '&#65;', '&nbsp;', '&shy;', '&copy'],
  ...['<item>', '</item>', '<entry>', '</entry>', '<title>', '</title>', '<description>', '<author>', '<link/>'],
  ...['<a:b>', '<x xmlns="y">', '<x xml:base="/b">', '<category>x</category>', '<pubDate>1</pubDate>'],
]
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const item = (text: string) => `<rss version="2.0"><channel><item>${text}</item></channel></rss>`
const PLACES: Record<string, (flood: string) => string> = {
  document: (flood) => flood,
  channel: (flood) => `<rss><channel>${flood}`,
  item,
  title: (flood) => item(`<title>${flood}</title>`),
  description: (flood) => item(`<description>${flood}</description>`),
  'CDATA section': (flood) => item(`<description><![CDATA[${flood.replaceAll(']]>', ']] >')}]]></description>`),
  'escaped HTML': (flood) => item(`<description>${escaped(flood)}</description>`),
}
const SMALL_BYTES = 60_000
const SUSPICIOUS_NS = 50

/** A small random number generator, so that the same seed gives the same documents. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return state / 0x8000_0000
  }
}

function costOf(place: string, piece: string, bytes: number): number {
  const text = PLACES[place]?.(piece.repeat(Math.ceil(bytes / Buffer.byteLength(piece)))) ?? ''
  const document = Buffer.from(text)
  const before = process.cpuUsage()
  try {
    readFeed(document, { url: 'https://feeds.example/' })
  } catch (error) {
    if (!(error instanceof FeedError)) throw error
  }
  const { user, system } = process.cpuUsage(before)
  return ((user + system) * 1000) / document.length
}

const bytes = Number(process.argv[2] ?? 2_000_000)
const random = numbersFrom(Number(process.argv[3] ?? 1))
const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
const several = () => Array.from({ length: 2 + Math.floor(random() * 4) }, () => any(PIECES)).join('')
const floods = [...PIECES, ...Array.from({ length: 1500 }, several)]
const dearest: { place: string; piece: string; ns: number }[] = []
for (const piece of floods) {
  const place = any(Object.keys(PLACES))
  // Most fragments are cheap, and a small document is enough to see that.
  if (costOf(place, piece, SMALL_BYTES) < SUSPICIOUS_NS) continue
  dearest.push({ place, piece, ns: costOf(place, piece, bytes) })
}
console.log(`${floods.length} documents of ${bytes} bytes; the most expensive, in ns per byte:`)
for (const { place, piece, ns } of dearest.sort((a, b) => b.ns - a.ns).slice(0, 15)) {
  console.log(`${ns.toFixed(0).padStart(6)}  ${place}: ${JSON.stringify(piece)}`)
}
