import { laneOfUrl } from '../../domain/lane.ts'
import { type Candidate, NO_EXTRAS, NO_FULL_TEXT, type Post } from '../../domain/post.ts'
import type { Source } from '../../domain/source.ts'
import { codecOf } from '../database/columns.ts'
import type { Db, Row } from '../database/db.ts'
import { insertRows } from '../database/insert-rows.ts'
import { writingLater } from '../database/later-writes.ts'
import { nextIds } from '../database/next-ids.ts'
import { type Bundle, type BundledText, bundleTexts } from '../posts/html-bundles.ts'

export const postCodec = codecOf<Post>({
  id: ['id', 'id'],
  sourceId: ['source_id', 'text'],
  title: ['title', 'text'],
  body: ['body', 'text'],
  url: ['url', 'text'],
  publishedAt: ['published_at', 'integer'],
  author: ['author', 'text'],
  guid: ['guid', 'text'],
  categories: ['categories', 'json'],
  contentHash: ['content_hash', 'text'],
  createdAt: ['created_at', 'integer'],
  language: ['language', 'text'],
  image: ['image', 'text'],
  enclosures: ['enclosures', 'json'],
  commentsUrl: ['comments_url', 'text'],
  usagePreferences: ['usage_preferences', 'text'],
  transcriptUrl: ['transcript_url', 'text'],
  fullTextState: ['full_text_state', 'text'],
  fullTextReason: ['full_text_reason', 'text'],
})

/** A candidate whose HTML was packed before the transaction, which packing would only make longer. */
export type PackedCandidate = Candidate & { readonly bundled: BundledText | null }

/** Each hash once, the first of them. */
export async function packCandidates(candidates: readonly Candidate[]): Promise<readonly PackedCandidate[]> {
  const unique = uniqueByHash(candidates)
  const bundled = await bundleTexts(unique.map(({ html, htmlBytes }) => htmlBytes ?? (html ? Buffer.from(html) : null)))
  return unique.map((one, index) => ({ ...one, bundled: bundled[index] ?? null }))
}

/**
 * In the order given, of which none is known: the caller has looked, under the lock on the source's row. Returns the id
 * of the last one.
 */
export async function insertPosts(
  tx: Db,
  source: Source,
  posts: readonly PackedCandidate[],
  at: number,
): Promise<string | null> {
  if (posts.length === 0) return null
  const ids = await nextIds(tx, 'posts', posts.length)
  const idAt = (index: number): number => ids[index] ?? 0
  const bundles = bundlesOf(posts, ids)
  const rows = posts.map((candidate, index) => {
    const kept = { ...NO_EXTRAS, ...candidate, id: String(idAt(index)), sourceId: source.id, createdAt: at }
    const { state, reason } = candidate.wantedText ?? NO_FULL_TEXT
    const transcriptUrl = candidate.transcriptUrl ?? null
    const post: Post = { ...kept, transcriptUrl, fullTextState: state, fullTextReason: reason }
    const { bundled } = candidate
    const place = bundled ? [bundles.get(bundled.bundle)?.id ?? null, bundled.index] : NO_HTML
    return [...postCodec.write(post).params, source.podcastId, bundled?.packedBytes ?? 0, ...place]
  })
  const later = writingLater(tx, null, { isFrequent: false })
  await insertRows(later, { table: 'posts', columns: POST_COLUMNS, rows })
  const packed = [...bundles].map(([bundle, { id, lastPostId }]) => [id, lastPostId, bundle.packed])
  await insertRows(later, { table: 'html_bundles', columns: ['id', 'last_post_id', 'html'], rows: packed })
  const pages = posts.flatMap(({ wantedText }, index) => {
    const behind = wantedText?.behind
    return behind ? [[idAt(index), behind.url, behind.kind, laneOfUrl(behind.url), at, 0]] : []
  })
  await insertRows(later, { table: 'page_fetches', columns: PAGE_COLUMNS, rows: pages })
  await later.flush()
  return String(ids.at(-1))
}

const POST_COLUMNS = [...postCodec.columns, 'podcast_id', 'content_bytes', 'html_bundle', 'html_index']
const NO_HTML = [null, null]
const PAGE_COLUMNS = ['post_id', 'url', 'kind', 'lane', 'due_at', 'tries']

interface PostsOfBundle {
  /** That of its first post. */
  readonly id: number
  lastPostId: number
}

function bundlesOf(posts: readonly PackedCandidate[], ids: readonly number[]): Map<Bundle, PostsOfBundle> {
  const bundles = new Map<Bundle, PostsOfBundle>()
  for (const [index, { bundled }] of posts.entries()) {
    if (!bundled) continue
    const id = ids[index] ?? 0
    const known = bundles.get(bundled.bundle)
    if (known) known.lastPostId = id
    else bundles.set(bundled.bundle, { id, lastPostId: id })
  }
  return bundles
}

export function readPost(row: Row): Post {
  return postCodec.read(row)
}

/** Each hash once, the first of them. */
export function uniqueByHash<T extends { readonly contentHash: string }>(entries: readonly T[]): T[] {
  const seen = new Set<string>()
  return entries.filter(({ contentHash }) => !seen.has(contentHash) && seen.add(contentHash))
}
