// New posts as rows, before they have ids: whatever needs the id of a post names its place among them, from 1 on.
import { laneOfUrl } from '../../domain/lane.ts'
import { type Candidate, NO_EXTRAS, NO_FULL_TEXT, type Post } from '../../domain/post.ts'
import type { Source } from '../../domain/source.ts'
import type { Param } from '../database/db.ts'
import { type Bundle, type BundledText, bundleTexts } from '../posts/html-bundles.ts'
import { postCodec } from './post-row.ts'

/** A candidate whose HTML was packed before the transaction, which packing would only make longer. */
export type PackedCandidate = Candidate & { readonly bundled: BundledText | null }

/** Each hash once, the first of them. */
export async function packCandidates(candidates: readonly Candidate[]): Promise<readonly PackedCandidate[]> {
  const unique = uniqueByHash(candidates)
  const bundled = await bundleTexts(unique.map(({ html, htmlBytes }) => htmlBytes ?? (html ? Buffer.from(html) : null)))
  return unique.map((one, index) => ({ ...one, bundled: bundled[index] ?? null }))
}

/** Each hash once, the first of them. */
export function uniqueByHash<T extends { readonly contentHash: string }>(entries: readonly T[]): T[] {
  const seen = new Set<string>()
  return entries.filter(({ contentHash }) => !seen.has(contentHash) && seen.add(contentHash))
}

export interface NewRows {
  readonly rows: readonly { readonly values: readonly Param[]; readonly bundleAt: number | null }[]
  readonly bundles: readonly NewBundle[]
  readonly pages: readonly { readonly postAt: number; readonly values: readonly (string | number)[] }[]
}

/** Its id is that of its first post. */
export interface NewBundle {
  readonly firstAt: number
  lastAt: number
  readonly packed: Uint8Array
}

/** Of posts, without the id and the bundle. */
export const VALUE_COLUMNS = [
  ...postCodec.columns.filter((column) => column !== 'id'),
  ...['podcast_id', 'content_bytes', 'html_index'],
]
/** Of pages, without the id of the post. */
export const PAGE_COLUMNS = ['url', 'kind', 'lane', 'due_at', 'tries']

export function newRows(source: Source, posts: readonly PackedCandidate[], at: number): NewRows {
  const bundles = new Map<Bundle, NewBundle>()
  const rows = posts.map((candidate, index) => {
    const { bundled } = candidate
    const values = [...valuesOf(source, candidate, at), bundled?.packedBytes ?? 0, bundled?.index ?? null]
    return { values, bundleAt: bundled ? placeOf(bundles, bundled.bundle, index + 1).firstAt : null }
  })
  const pages = posts.flatMap(({ wantedText }, index) => {
    const behind = wantedText?.behind
    return behind ? [{ postAt: index + 1, values: [behind.url, behind.kind, laneOfUrl(behind.url), at, 0] }] : []
  })
  return { rows, bundles: [...bundles.values()], pages }
}

function valuesOf(source: Source, candidate: PackedCandidate, at: number): Param[] {
  const { state, reason } = candidate.wantedText ?? NO_FULL_TEXT
  const post: Omit<Post, 'id'> = {
    ...NO_EXTRAS,
    ...candidate,
    ...{ sourceId: source.id, createdAt: at, transcriptUrl: candidate.transcriptUrl ?? null },
    ...{ fullTextState: state, fullTextReason: reason },
  }
  return [...postCodec.write(post).params, source.podcastId]
}

function placeOf(bundles: Map<Bundle, NewBundle>, bundle: Bundle, place: number): NewBundle {
  const known = bundles.get(bundle) ?? { firstAt: place, lastAt: place, packed: bundle.packed }
  known.lastAt = place
  bundles.set(bundle, known)
  return known
}
