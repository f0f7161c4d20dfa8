/**
 * Bytes to candidates, side by side: this reader, feedsmith with the same HTML-to-text, rss-parser,
 * @rowanmanning/feed-parser, and the bare tokenizer, which does nothing with what it finds and so is the limit.
 * Contenders take turns in short rounds; the median round counts.
 *
 *   node bench/feed-reader.ts [rounds]
 */
import { parseFeed as parseRowanmanning } from '@rowanmanning/feed-parser'
import { parseFeed as parseFeedsmith } from 'feedsmith'
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import RssParser from 'rss-parser'
import { readFeed } from '../src/sources/feed/read-feed.ts'
import { htmlToText } from '../src/sources/html-text.ts'
import { atomDocument, rssDocument } from './feed-reader-documents.ts'

type Contender = { name: string; read(bytes: Uint8Array): unknown }

const url = 'https://example.org/feed'
const decoder = new TextDecoder()
const rssParser = new RssParser()
const nothing = () => {}
const silent: TokenizerCallbacks = {
  onattribdata: nothing,
  onattribend: nothing,
  onattribentity: nothing,
  onattribname: nothing,
  oncdata: nothing,
  onclosetag: nothing,
  oncomment: nothing,
  ondeclaration: nothing,
  onend: nothing,
  onopentagend: nothing,
  onopentagname: nothing,
  onprocessinginstruction: nothing,
  onselfclosingtag: nothing,
  ontext: nothing,
  ontextentity: nothing,
}

function tokenize(bytes: Uint8Array): void {
  const tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: true }, silent)
  tokenizer.write(decoder.decode(bytes))
  tokenizer.end()
}

type Loose = { title?: unknown; content?: unknown; description?: string; summary?: unknown }

/** feedsmith leaves the text as HTML; candidates need it plain. */
function feedsmithCandidates(bytes: Uint8Array): unknown {
  const { feed } = parseFeedsmith(decoder.decode(bytes)) as { feed: { items?: Loose[]; entries?: Loose[] } }
  return (feed.items ?? feed.entries ?? []).map((item) => {
    const content = item.content as { encoded?: string; value?: string } | string | undefined
    const html = typeof content === 'string' ? content : (content?.encoded ?? content?.value ?? item.description ?? '')
    return { ...item, body: htmlToText(html) }
  })
}

const contenders: Contender[] = [
  { name: 'tidings', read: (bytes) => readFeed(bytes, { url }) },
  { name: 'bare tokenizer', read: tokenize },
  { name: 'feedsmith + same text', read: feedsmithCandidates },
  { name: '@rowanmanning/feed-parser', read: (bytes) => parseRowanmanning(decoder.decode(bytes)).toJSON() },
  { name: 'rss-parser', read: (bytes) => rssParser.parseString(decoder.decode(bytes)) },
]

async function timeRound({ read }: Contender, bytes: Uint8Array): Promise<number> {
  const times = 10
  const start = performance.now()
  for (let i = 0; i < times; i++) await read(bytes)
  return (performance.now() - start) / times
}

async function measure(title: string, document: string, rounds: number): Promise<void> {
  const bytes = new TextEncoder().encode(document)
  const results = new Map(contenders.map(({ name }) => [name, [] as number[]]))
  for (let round = 0; round < rounds; round++) {
    // The first rounds warm the code up and do not count.
    for (const contender of contenders) {
      const ms = await timeRound(contender, bytes)
      if (round >= rounds / 3) results.get(contender.name)?.push(ms)
    }
  }
  const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN
  const own = median(results.get('tidings') ?? [])
  console.log(`\n${title}, ${(bytes.length / 1000).toFixed(0)} KB, median of ${Math.ceil((rounds * 2) / 3)} rounds`)
  for (const [name, times] of results) {
    const ms = median(times)
    const speed = `${(bytes.length / ms / 1000).toFixed(1)} MB/s`
    console.log(
      `  ${name.padEnd(28)}${ms.toFixed(3).padStart(9)} ms${speed.padStart(14)}   tidings is ${(ms / own).toFixed(2)}x`,
    )
  }
}

const rounds = Number(process.argv[2] ?? 30)
await measure('RSS 2.0 with content:encoded', rssDocument(), rounds)
await measure('Atom 1.0 with escaped HTML', atomDocument(), rounds)
