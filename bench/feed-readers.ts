/** The contenders of `feed-reader.ts`. Each loads only what it needs itself. */
import type { Tokenizer, TokenizerCallbacks } from 'htmlparser2'

type Read = (bytes: Uint8Array) => unknown
type Contender = { readonly does: string; load(): Promise<Read> }

export const FEED_URL = 'https://example.org/feed'
export const OWN = 'tidings'

export const CONTENDERS: Readonly<Record<string, Contender>> = {
  [OWN]: {
    does: 'any charset, title and body as plain text, dates and links resolved',
    load: async () => {
      const { readFeed } = await import('../src/sources/feed/read-feed.ts')
      return (bytes) => readFeed(bytes, { url: FEED_URL })
    },
  },
  'bare tokenizer': {
    does: 'UTF-8, tokens with entities decoded, nothing kept',
    load: async () => {
      const htmlparser2 = await import('htmlparser2')
      return tokenizeWith(htmlparser2.Tokenizer)
    },
  },
  'feedsmith to candidates': {
    does: "UTF-8, title and body as plain text by this reader's htmlToText, dates and links by the runtime",
    load: async () => {
      const { feedsmithCandidates } = await import('./feedsmith-candidates.ts')
      return (bytes) => feedsmithCandidates(bytes, FEED_URL)
    },
  },
  'feedsmith + same text': {
    does: "UTF-8, body as plain text by this reader's htmlToText, the rest as written",
    load: async () => (await import('./feedsmith-candidates.ts')).feedsmithTexts,
  },
  '@rowanmanning/feed-parser': {
    does: 'UTF-8, bodies stay HTML',
    load: async () => {
      const { parseFeed } = await import('@rowanmanning/feed-parser')
      return (bytes) => parseFeed(decoder.decode(bytes)).toJSON()
    },
  },
  'rss-parser': {
    does: 'UTF-8, bodies stay HTML',
    load: async () => {
      const { default: RssParser } = await import('rss-parser')
      const parser = new RssParser()
      return (bytes) => parser.parseString(decoder.decode(bytes))
    },
  },
}

const decoder = new TextDecoder()
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

function tokenizeWith(Tokens: typeof Tokenizer): Read {
  return (bytes) => {
    const tokenizer = new Tokens({ xmlMode: true, decodeEntities: true }, silent)
    tokenizer.write(decoder.decode(bytes))
    tokenizer.end()
  }
}
