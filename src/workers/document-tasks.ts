// The tasks that a worker thread can run on a document. Each calls a pure reader; bodies are hashed here too, to keep that
// work off the main thread. To add a task, add a line to the table. The page reader and the HTML tools need large
// libraries, so they are loaded only when they are first used.
import { hash } from 'node:crypto'
import type { WrittenContent } from '../domain/post.ts'
import { PRODUCT_TOKEN } from '../domain/robots.ts'
import type {
  CleanedContent,
  DocumentHint,
  FeedHint,
  FeedLink,
  FeedRead,
  GivenList,
  ListRead,
  PageRead,
  RobotsWord,
  SameBytes,
} from '../ports/documents.ts'
import { readTranscript } from '../sources/behind-entry/read-transcript.ts'
import { findFeeds } from '../sources/discovery/find-feeds.ts'
import { readFeed } from '../sources/feed/read-feed.ts'
import { readList } from '../sources/list/read-list.ts'
import { findYoutubeFeed } from '../sources/youtube/find-youtube-feed.ts'
import { encodeTogether } from './encode-together.ts'
import { prepareContents } from './prepare-contents.ts'

export interface DocumentTask extends DocumentHint {
  readonly bytes: Uint8Array
  readonly linkHeader?: string | undefined
}

export interface FeedTask extends DocumentTask, Pick<FeedHint, 'newFrom' | 'lastHash' | 'contentType' | 'url'> {}

export interface ListTask extends GivenList {
  readonly mostRows: number | null
}

/** Parts of documents that were read before. */
export type ContentTask =
  | { readonly contents: readonly WrittenContent[] }
  | { readonly html: readonly string[] }
  | { readonly robots: string; readonly url: string }

export const DOCUMENT_TASKS = {
  list: ({ mostRows, ...list }: ListTask): ListRead => readList(list, mostRows),
  feed: feedTask,
  page: pageTask,
  'find-feeds': ({ bytes, contentType, url, linkHeader }: DocumentTask): readonly FeedLink[] =>
    findFeeds(bytes, { contentType, url, linkHeader }).feeds.map(({ url: found, title }) => ({ url: found, title })),
  'find-youtube-feed': ({ bytes, contentType, url }: DocumentTask): string | null =>
    findYoutubeFeed(bytes, { contentType, url }),
  'clean-html': cleanTask,
  markdown: markdownTask,
  robots: robotsTask,
  transcript: ({ bytes, contentType }: DocumentTask): string => readTranscript(bytes, contentType),
}

export type DocumentTaskName = keyof typeof DOCUMENT_TASKS

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

async function feedTask({ bytes, contentType, url, newFrom, lastHash }: FeedTask): Promise<FeedRead | SameBytes> {
  const bodyHash = hash('sha256', bytes)
  if (bodyHash === lastHash) return { kind: 'same-bytes' }
  const feed = readFeed(bytes, { contentType, url })
  const contents = await prepareContents(feed.entries, newFrom)
  return {
    kind: 'feed',
    bodyHash,
    title: feed.title,
    siteUrl: feed.siteUrl,
    language: feed.language,
    candidates: feed.entries.map(({ transcriptUrl, content: _content, ...entry }, index) => ({
      ...entry,
      ...(transcriptUrl !== null && { transcriptUrl }),
      contentHash: hash('sha256', entry.body),
      ...contents[index],
    })),
    freshness: {
      ttlMinutes: feed.ttlMinutes,
      updatePeriodMs: feed.update ? feed.update.periodMs / feed.update.frequency : null,
      skipHours: feed.skipHours,
      skipDays: feed.skipDays.map((day) => DAYS.indexOf(day.toLowerCase())).filter((day) => day >= 0),
    },
    notes: feed.truncated,
    earlierUrl: feed.prevArchiveUrl ?? feed.nextUrl,
  }
}

async function pageTask({ bytes, contentType, url }: DocumentTask): Promise<PageRead> {
  const { readPage } = await import('../sources/website/read-page.ts')
  const page = readPage(bytes, { contentType, url })
  return {
    title: page.title,
    language: page.language,
    candidate: {
      title: page.title || page.text.slice(0, 100),
      body: page.text,
      url,
      publishedAt: null,
      author: page.author,
      guid: null,
      categories: [],
      contentHash: hash('sha256', page.text),
      language: page.language,
      image: page.image,
      html: page.html,
      usagePreferences: page.usagePreferences,
    },
    statedAt: page.publishedAt,
    notes: page.truncated,
  }
}

async function cleanTask({ contents }: { contents: readonly WrittenContent[] }): Promise<CleanedContent[]> {
  const { cleanHtml } = await import('../sources/html/clean-html.ts')
  const clean = contents.map(({ html, base }) => cleanHtml(html, base))
  const encoded = encodeTogether(clean.map(({ html }) => html))
  return clean.map(({ image }, index) => ({ htmlBytes: encoded[index] ?? null, image }))
}

async function markdownTask({ html }: { html: readonly string[] }): Promise<string[]> {
  const { htmlToMarkdown } = await import('../sources/html/html-to-markdown.ts')
  return html.map((one) => htmlToMarkdown(one))
}

async function robotsTask({ robots, url }: { robots: string; url: string }): Promise<RobotsWord> {
  const { readRobots } = await import('../sources/behind-entry/read-robots.ts')
  return readRobots(robots, url, PRODUCT_TOKEN)
}
