// The HTML of posts that came together is packed together. To make a compressor takes far longer than to compress an
// ordinary text, and texts of one feed are alike. A bundle is a line with the lengths of its texts in bytes, then the texts,
// all of it packed. A post names its bundle and the place of its text in it; a bundle goes with its last post, by trigger.
// See docs/decisions/0201-html-of-new-posts-packed-together.md
import { setImmediate } from 'node:timers/promises'
import { packBytes, unpackBytes } from '../../packed-text.ts'
import type { Db } from '../database/db.ts'
import { slices } from '../database/insert-rows.ts'

/** To read one text, its whole bundle is unpacked. This many bytes take half a millisecond, and so does packing them. */
const BUNDLE_BYTES = 128 * 1024
const READ_AT_ONCE = 10
const NEWLINE = 10

export interface Bundle {
  readonly packed: Uint8Array
}

export interface BundledText {
  readonly bundle: Bundle
  readonly index: number
  /** Its part of what the bundle takes. The parts of all texts add up. */
  readonly packedBytes: number
}

/** In the order given. A null stays null. Gives the event loop a turn between two bundles. */
export async function bundleTexts(texts: readonly (Uint8Array | null)[]): Promise<(BundledText | null)[]> {
  const bundled: BundledText[] = []
  for (const some of bySize(texts.filter((text) => text !== null))) {
    if (bundled.length > 0) await setImmediate()
    const packed = packBytes(Buffer.concat([Buffer.from(`${some.map(({ length }) => length).join()}\n`), ...some]))
    bundled.push(...partsOf({ packed }, some))
  }
  let next = 0
  return texts.map((text) => (text === null ? null : (bundled[next++] ?? null)))
}

function* bySize(texts: readonly Uint8Array[]): Generator<Uint8Array[]> {
  let some: Uint8Array[] = []
  let bytes = 0
  for (const text of texts) {
    if (some.length > 0 && bytes + text.length > BUNDLE_BYTES) {
      yield some
      some = []
      bytes = 0
    }
    some.push(text)
    bytes += text.length
  }
  if (some.length > 0) yield some
}

function partsOf(bundle: Bundle, texts: readonly Uint8Array[]): BundledText[] {
  const all = texts.reduce((sum, { length }) => sum + length, 0) || 1
  let before = 0
  let counted = 0
  return texts.map(({ length }, index) => {
    before += length
    const upToHere =
      index === texts.length - 1 ? bundle.packed.length : Math.round((bundle.packed.length * before) / all)
    const packedBytes = upToHere - counted
    counted = upToHere
    return { bundle, index, packedBytes }
  })
}

/** Where the text of a post is. */
export interface TextPlace {
  readonly postId: string
  readonly bundleId: number
  readonly index: number
}

/** By the id of the post. Each bundle is unpacked once, one after another, and only texts that are asked for are kept. */
export async function readBundledTexts(db: Db, places: readonly TextPlace[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  const byBundle = Map.groupBy(places, ({ bundleId }) => bundleId)
  for (const ids of slices(byBundle.keys(), READ_AT_ONCE)) {
    const sql = `SELECT id, html FROM html_bundles WHERE ${db.dialect.oneOf('id')}`
    for (const row of await db.all(sql, [db.dialect.list(ids)])) {
      const textAt = await unpackBundle(row.html as Uint8Array)
      for (const { postId, index } of byBundle.get(Number(row.id)) ?? []) found.set(postId, textAt(index))
    }
  }
  return found
}

async function unpackBundle(packed: Uint8Array): Promise<(index: number) => string> {
  const bytes = await unpackBytes(packed)
  const textsStartAt = bytes.indexOf(NEWLINE) + 1
  const ends = bytes
    .toString('latin1', 0, textsStartAt - 1)
    .split(',')
    .map(Number)
  for (let at = 0, end = textsStartAt; at < ends.length; at++) {
    end += ends[at] ?? 0
    ends[at] = end
  }
  return (index) => bytes.toString('utf8', ends[index - 1] ?? textsStartAt, ends[index])
}
