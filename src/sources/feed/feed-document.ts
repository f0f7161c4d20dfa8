/** What a feed says, whatever its format. Instants are epoch milliseconds, URLs absolute http(s), texts plain. */
export type FeedDocument = {
  title: string | null
  siteUrl: string | null
  /** Where the feed says it lives itself. */
  selfUrl: string | null
  /** The next page of a paged feed. */
  nextUrl: string | null
  /** WebSub hubs, in the order given. */
  hubs: string[]
  language: string | null
  icon: string | null
  image: string | null
  ttlMinutes: number | null
  /** How often the feed says it changes: `frequency` times in `periodMs`. */
  update: { periodMs: number; frequency: number } | null
  /** Hours (0-23, GMT) and days (English names) in which nothing new comes. */
  skipHours: number[]
  skipDays: string[]
  /** One sentence for each kind of thing that was cut to its limit. */
  truncated: string[]
  entries: FeedEntry[]
}

export type FeedEntry = {
  /** Empty, like the body, only when the entry has neither. */
  title: string
  body: string
  url: string
  publishedAt: number | null
  author: string | null
  guid: string | null
  categories: string[]
}
