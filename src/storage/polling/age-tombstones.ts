// A tombstone goes when documents parsed over ninety days have not carried its entry. Time without parsing does not count,
// because only a parsed document starts or ends the count.
// A source that publishes a lot has thousands of tombstones, so a poll looks at some of them: at those of entries in its
// document, whose ninety days start again, and at a share of the others, a different one each time. So a tombstone may be
// found missing a few polls late, and stays that much longer.
// See docs/decisions/0217-a-poll-looks-at-a-share-of-the-tombstones.md
import type { PollWrite } from '../../ports/polling-store.ts'
import type { Db, Row } from '../database/db.ts'
import { slices } from '../database/insert-rows.ts'
import { andOnlyIf } from '../database/later-writes.ts'
import { prepared } from '../database/prepared.ts'
import { hasIndexedPart, indexedPart } from './known-entries.ts'

const KEPT_MISSING_MS = 90 * 24 * 3_600_000
const SHARE = 100
const ASKED_AT_ONCE = 200
const MINUTE_MS = 60_000
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2

type Carried = NonNullable<PollWrite['carried']>

interface Buried {
  readonly hash: string
  readonly guid: string | null
  readonly missingSince: number | null
}

/** `later`: what writes, with others. */
export async function ageTombstones(tx: Db, later: Db, sourceId: string, carried: Carried, at: number): Promise<void> {
  const some = await shareOf(tx, sourceId, at)
  if (some.length === 0) return
  const isCarried = ({ hash, guid }: Buried): boolean =>
    carried.hashes.has(hash) || (guid !== null && carried.guids.has(guid))
  const ofDocument = some.length < SHARE ? some : await buriedOf(tx, sourceId, carried)
  const back = ofDocument.filter((one) => one.missingSince !== null && isCarried(one))
  const absent = some.filter((one) => !isCarried(one))
  const missing = absent.filter(({ missingSince }) => missingSince === null)
  const gone = absent.filter(({ missingSince }) => missingSince !== null && missingSince <= at - KEPT_MISSING_MS)
  await ofHashes(later, 'UPDATE tombstones SET missing_since = NULL', [], sourceId, back)
  await ofHashes(later, 'UPDATE tombstones SET missing_since = ?', [at], sourceId, missing)
  await ofHashes(later, 'DELETE FROM tombstones', [], sourceId, gone)
}

const COLUMNS = 'content_hash, guid, missing_since'

/** Those next to a place in the order of hashes, on both sides: all, where they are fewer than a share. */
async function shareOf(tx: Db, sourceId: string, at: number): Promise<Buried[]> {
  const from = placeAt(at)
  const side = (where: string, order: 'ASC' | 'DESC'): string =>
    `SELECT * FROM (SELECT ${COLUMNS} FROM tombstones WHERE source_id = ? AND content_hash ${where}
       ORDER BY content_hash ${order} LIMIT ?) AS side`
  const sql = `${side('>= ?', 'ASC')} UNION ALL ${side('< ?', 'DESC')}`
  const rows = await tx.all(prepared(sql), [sourceId, from, SHARE, sourceId, from, SHARE])
  return rows.map(readBuried)
}

/** Hashes are spread evenly, and steps of the golden ratio come near every place soon, whatever the pause between polls. */
function placeAt(at: number): string {
  const part = ((at / MINUTE_MS) * GOLDEN_RATIO) % 1
  return Math.floor(part * 0x1_0000_0000)
    .toString(16)
    .padStart(8, '0')
}

/** Of the entries of a document. */
async function buriedOf(tx: Db, sourceId: string, { hashes, guids }: Carried): Promise<Buried[]> {
  const found: Buried[] = []
  for (const [which, values] of [
    [tx.dialect.oneOf('content_hash'), hashes],
    [hasIndexedPart(tx, 'guid'), new Set(Array.from(guids, indexedPart))],
  ] as const) {
    const sql = `SELECT ${COLUMNS} FROM tombstones WHERE source_id = ? AND ${which}`
    for (const some of slices(values, ASKED_AT_ONCE)) {
      const rows = await tx.all(prepared(sql), [sourceId, tx.dialect.list(some)])
      found.push(...rows.map(readBuried))
    }
  }
  return found
}

function readBuried(row: Row): Buried {
  return {
    hash: row.content_hash as string,
    guid: row.guid as string | null,
    missingSince: row.missing_since === null ? null : Number(row.missing_since),
  }
}

async function ofHashes(tx: Db, what: string, values: readonly number[], sourceId: string, of: readonly Buried[]) {
  const where = `source_id = ? AND ${tx.dialect.oneOf('content_hash')}`
  for (const some of slices(of, ASKED_AT_ONCE)) {
    const hashes = some.map(({ hash }) => hash)
    await tx.run(`${what} WHERE ${where}${andOnlyIf(tx)}`, [...values, sourceId, tx.dialect.list(hashes)])
  }
}
