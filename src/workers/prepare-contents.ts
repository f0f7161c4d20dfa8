// The HTML of a feed's entries, prepared while the feed is read. Simple HTML of entries that may be new is cleaned at
// once: it takes one pass. HTML that needs a parser, and entries without a date, are cleaned when they have become posts.
// HTML of entries that are known to be old is left out.
// See docs/decisions/0165-simple-html-is-cleaned-without-a-parser.md
import type { Candidate } from '../domain/post.ts'
import type { FeedEntry } from '../sources/feed/feed-document.ts'
import { encodeTogether } from './encode-together.ts'

type Prepared = Pick<Candidate, 'content' | 'htmlBytes' | 'image'>

/** In the order of the entries. `newFrom`: no entry dated before it becomes a post; Infinity: none does. */
export async function prepareContents(entries: readonly FeedEntry[], newFrom: number): Promise<Prepared[]> {
  if (!entries.some((entry) => mayBeNew(entry, newFrom))) return entries.map(({ image }) => ({ image }))
  const { cleanIfSimple } = await import('../sources/html/clean-html.ts')
  const clean = entries.map((entry) => {
    const { content, publishedAt } = entry
    return content && publishedAt !== null && mayBeNew(entry, newFrom)
      ? cleanIfSimple(content.html, content.base)
      : null
  })
  const encoded = encodeTogether(clean.map((one) => one?.html ?? null))
  return entries.map((entry, index) => {
    const { content, image } = entry
    const one = clean[index]
    if (one) return { htmlBytes: encoded[index] ?? null, image: image ?? one.image }
    if (content === null) return { htmlBytes: null, image }
    return mayBeNew(entry, newFrom) ? { content, image } : { image }
  })
}

function mayBeNew({ publishedAt }: FeedEntry, newFrom: number): boolean {
  return (publishedAt ?? Number.MAX_VALUE) >= newFrom
}
