/** A feed, whatever its format. Instants are epoch milliseconds, URLs are absolute http(s), texts are plain. */
export type FeedDocument = {
  title: string | null
  siteUrl: string | null
  /** The feed's own address, as it states it. */
  selfUrl: string | null
  /** The next page of a paged feed. */
  nextUrl: string | null
  /** The archive before this document (RFC 5005). */
  prevArchiveUrl: string | null
  /** WebSub hubs, in the order given. */
  hubs: string[]
  language: string | null
  icon: string | null
  image: string | null
  ttlMinutes: number | null
  /** How often the feed says it is updated: `frequency` times in `periodMs`. */
  update: { periodMs: number; frequency: number } | null
  /** Hours (0-23, GMT) and days (English names) in which the feed is not updated. */
  skipHours: number[]
  skipDays: string[]
  /** One sentence for each kind of value that was cut to its limit. */
  truncated: string[]
  entries: FeedEntry[]
}

export type FeedEntry = {
  /** Empty only if the entry has neither a title nor a body; then `body` is empty too. */
  title: string
  body: string
  url: string
  publishedAt: number | null
  author: string | null
  guid: string | null
  categories: string[]
  /** As BCP 47: what the entry states, else the feed. */
  language: string | null
  /** The picture that the entry states. One in its content is found when that is cleaned. */
  image: string | null
  enclosures: FeedEnclosure[]
  commentsUrl: string | null
  /** The address of a transcript that can be read as text. */
  transcriptUrl: string | null
  content: WrittenContent | null
}

export type FeedEnclosure = { url: string; type: string | null; length: number | null; duration?: number }

/** HTML as the feed has it, not cleaned; see html/clean-html.ts. `base`: for its relative addresses. */
export type WrittenContent = { html: string; base: string }
