// Hosts that receive messages: what is on its way to them, and how they fared. The rule is in domain/receiver-host.ts.
// A delivery on its way is a claimed row of its own, and a host without failures has no row: as long as all goes well,
// nothing is written here. Whoever changes what is known of a host holds its lock, so that several processes count as one.
// See docs/decisions/0158-receivers-are-spared-by-all-processes.md
import {
  afterDelivery,
  deliveriesAtOnce,
  GOOD_RECEIVER,
  type ReceiverChange,
  type ReceiverHost,
  receiverChange,
  testsAtOnce,
} from '../../domain/receiver-host.ts'
import type { CleanUpLimits } from '../../ports/store.ts'
import type { ReceiverInUse } from '../../ports/webhook-store.ts'
import type { Database, Db, Row } from '../database/db.ts'

export const CLAIM_MS = 30_000
/** A host that nobody sent anything for a day is unknown again. */
const FORGOTTEN_AFTER_MS = 86_400_000

/** After the clock was set back, claims from before do not count. */
const IS_CLAIMED = 'claimed_until > ? AND claimed_until <= ?'
const claimedAt = (now: number) => [now, now + CLAIM_MS] as const

/** Hosts that something is on its way to, or that failed. */
export async function receiversInUse(db: Db, now: number): Promise<ReadonlyMap<string, ReceiverInUse>> {
  const claimed = await db.all(
    `SELECT claimed_host AS host, count(*) AS n FROM deliveries WHERE claimed_host IS NOT NULL AND ${IS_CLAIMED}
     GROUP BY claimed_host`,
    [...claimedAt(now)],
  )
  const inFlight = new Map(claimed.map((row) => [String(row.host), Number(row.n)]))
  const found = new Map([...inFlight].map(([host, n]): [string, ReceiverInUse] => [host, inUse(undefined, n, now)]))
  for (const row of await db.all('SELECT * FROM receiver_hosts')) {
    const host = String(row.host)
    found.set(host, inUse(row, inFlight.get(host) ?? 0, now))
  }
  return found
}

/** How many deliveries to the host may be claimed, for a transaction that claims them. */
export async function placesAt(tx: Db, host: string, now: number): Promise<number> {
  const { health, inFlight } = await lockedReceiver(tx, host, now)
  return Math.max(deliveriesAtOnce(health, now) - inFlight, 0)
}

/** `succeeded` is null if the delivery says nothing of the host. Returns what changes for it. */
export async function recordDelivery(
  tx: Db,
  host: string,
  succeeded: boolean | null,
  at: number,
): Promise<ReceiverChange | null> {
  if (succeeded === null) return null
  // The usual case, which needs no lock.
  if (succeeded && !(await rowOf(tx, host))) return null
  const { health } = await lockedReceiver(tx, host, at)
  const after = afterDelivery(health, succeeded, at)
  if (after.failures === health.failures && after.waitUntil === health.waitUntil) return null
  await writeReceiver(tx, host, after, at)
  return receiverChange(health, after)
}

/** For a test message, which has no row. false: there is no place for it just now. */
export async function takeTestPlace(db: Database, host: string, now: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const { health, inFlight, isTested } = await lockedReceiver(tx, host, now)
    if (isTested || inFlight >= testsAtOnce(health)) return false
    await writeReceiver(tx, host, health, now, now + CLAIM_MS)
    return true
  })
}

export async function endTest(
  db: Database,
  host: string,
  succeeded: boolean | null,
  at: number,
): Promise<ReceiverChange | null> {
  return db.transaction(async (tx) => {
    const { health } = await lockedReceiver(tx, host, at)
    const after = succeeded === null ? health : afterDelivery(health, succeeded, at)
    await writeReceiver(tx, host, after, at, null)
    return receiverChange(health, after)
  })
}

export async function cleanReceivers(db: Db, { now, batch }: CleanUpLimits): Promise<number> {
  return db.run(
    'DELETE FROM receiver_hosts WHERE host IN (SELECT host FROM receiver_hosts WHERE changed_at < ? LIMIT ?)',
    [now - FORGOTTEN_AFTER_MS, batch],
  )
}

async function lockedReceiver(tx: Db, host: string, now: number): Promise<ReceiverInUse> {
  if (tx.dialect.lockName !== null) await tx.get(tx.dialect.lockName, [host])
  const claimed = await tx.get(`SELECT count(*) AS n FROM deliveries WHERE claimed_host = ? AND ${IS_CLAIMED}`, [
    host,
    ...claimedAt(now),
  ])
  return inUse(await rowOf(tx, host), Number(claimed?.n), now)
}

function rowOf(db: Db, host: string): Promise<Row | undefined> {
  return db.get('SELECT * FROM receiver_hosts WHERE host = ?', [host])
}

function inUse(row: Row | undefined, claimed: number, now: number): ReceiverInUse {
  if (!row) return { health: GOOD_RECEIVER, inFlight: claimed, isTested: false }
  const testUntil = Number(row.test_until ?? 0)
  const isTested = testUntil > now && testUntil <= now + CLAIM_MS
  const waitUntil = row.wait_until === null ? null : Number(row.wait_until)
  return { health: { failures: Number(row.failures), waitUntil }, inFlight: claimed + (isTested ? 1 : 0), isTested }
}

/** `testUntil` undefined: as it is. A host of which there is nothing to know has no row. */
async function writeReceiver(
  tx: Db,
  host: string,
  { failures, waitUntil }: ReceiverHost,
  at: number,
  testUntil?: number | null,
): Promise<void> {
  const test = testUntil === undefined ? 'receiver_hosts.test_until' : 'excluded.test_until'
  await tx.run(
    `INSERT INTO receiver_hosts (host, failures, wait_until, test_until, changed_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (host) DO UPDATE SET failures = excluded.failures, wait_until = excluded.wait_until,
       test_until = ${test}, changed_at = excluded.changed_at`,
    [host, failures, waitUntil, testUntil ?? null, at],
  )
  await tx.run('DELETE FROM receiver_hosts WHERE host = ? AND failures = 0 AND test_until IS NULL', [host])
}
