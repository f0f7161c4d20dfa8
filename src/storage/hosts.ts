import type { NewEvent } from '../domain/event.ts'
import { type BreakerState, type HostState, unknownHost } from '../domain/host.ts'
import { MINUTE_MS } from '../domain/schedule.ts'
import { LONGEST_DELAY_MS } from '../domain/spacing.ts'
import { codecOf } from './columns.ts'
import type { Database, Db, Param, Row } from './db.ts'
import { insertEvents } from './events.ts'

export type HostChange = Partial<Omit<HostState, 'lane'>>

const codec = codecOf<Omit<HostState, 'breaker'>>({
  lane: ['lane', 'text'],
  notBefore: ['not_before', 'integer'],
  lastRequestAt: ['last_request_at', 'integer'],
  closedUntil: ['closed_until', 'integer'],
  closedReason: ['closed_reason', 'text'],
  bareThrottles: ['bare_throttles', 'integer'],
  lastSucceededAt: ['last_succeeded_at', 'integer'],
  lastPollOk: ['last_poll_ok', 'boolean'],
  lastCompletedAt: ['last_completed_at', 'integer'],
})

const breakerCodec = codecOf<BreakerState>({
  state: ['breaker_state', 'text'],
  inARow: ['breaker_in_a_row', 'integer'],
  failures: ['breaker_failures', 'json'],
  since: ['breaker_since', 'integer'],
  probeAt: ['breaker_probe_at', 'integer'],
  waitMs: ['breaker_wait_ms', 'integer'],
  probingSince: ['breaker_probing_since', 'integer'],
  probedBy: ['breaker_probed_by', 'text'],
})

export function readHost(row: Row): HostState {
  return { ...codec.read(row), breaker: breakerCodec.read(row) }
}

export async function hostState(db: Db, lane: string): Promise<HostState | null> {
  const row = await db.get('SELECT * FROM hosts WHERE lane = ?', [lane])
  return row ? readHost(row) : null
}

export async function lockedHost(tx: Db, lane: string): Promise<HostState | null> {
  const row = await tx.get(`SELECT * FROM hosts WHERE lane = ? ${tx.dialect.forUpdate('hosts')}`, [lane])
  return row ? readHost(row) : null
}

/** By so much two machines may disagree; what is further ahead, only a clock that was set back explains. */
const CLOCKS_DIFFER_MS = MINUTE_MS

const RESERVE = `INSERT INTO hosts (lane, last_request_at, not_before) VALUES (?, ?, ?)
     ON CONFLICT (lane) DO UPDATE SET
       last_request_at = excluded.last_request_at,
       not_before = CASE
         WHEN hosts.not_before > excluded.not_before
           AND COALESCE(hosts.last_request_at, 0) <= excluded.last_request_at + ${CLOCKS_DIFFER_MS} THEN hosts.not_before
         ELSE excluded.not_before END`

export async function reserveHost(
  db: Db,
  lane: string,
  visit: { startedAt: number; notBefore: number },
): Promise<void> {
  await db.run(RESERVE, [lane, Math.round(visit.startedAt), Math.round(visit.notBefore)])
}

/** By so much two who look at the clock at once may see it differently; a last request further ahead was before it was set back. */
const AT_ONCE_MS = 1000

/** In one statement what `spacingEndsAt` says of a row that was read: between reading and writing another may come. */
export async function takeHost(
  db: Db,
  lane: string,
  visit: { startedAt: number; notBefore: number },
): Promise<number | null> {
  const startedAt = Math.round(visit.startedAt)
  const taken = await db.run(
    `${RESERVE}
     WHERE COALESCE(hosts.not_before, 0) <= excluded.last_request_at
       OR hosts.not_before > excluded.last_request_at + ${LONGEST_DELAY_MS}
       OR hosts.last_request_at > excluded.last_request_at + ${AT_ONCE_MS}`,
    [lane, startedAt, Math.round(visit.notBefore)],
  )
  if (taken > 0) return null
  const host = await hostState(db, lane)
  return Math.max(host?.notBefore ?? startedAt, startedAt + 1)
}

/** What a lane waits for, and what it shows of the past. */
const MOVED_BACK = [
  'not_before',
  'closed_until',
  'last_completed_at',
  'breaker_since',
  'breaker_probe_at',
  'breaker_probing_since',
]

/**
 * A last request of the future was made just now, and everything that was counted from it moves back as much. What two
 * clocks may differ by is soon over, and no reason to ask a host sooner.
 */
export async function setHostsBack(db: Db, now: number): Promise<void> {
  const moved = MOVED_BACK.map((column) => `${column} = ${column} - (last_request_at - ?)`).join(', ')
  await db.run(`UPDATE hosts SET ${moved}, last_request_at = ? WHERE last_request_at > ?`, [
    ...MOVED_BACK.map(() => now),
    ...[now, now + CLOCKS_DIFFER_MS],
  ])
}

export async function changeHost(
  db: Database,
  lane: string,
  change: (current: HostState) => HostChange | null,
  events: readonly NewEvent[] = [],
): Promise<HostState> {
  return db.transaction(async (tx) => {
    const current = (await lockedHost(tx, lane)) ?? unknownHost(lane)
    const set = change(current)
    if (set) await updateHost(tx, lane, set)
    await insertEvents(tx, events)
    return { ...current, ...set }
  })
}

/** Writes what `set` names; a host without a row gets one. */
export async function updateHost(tx: Db, lane: string, set: HostChange): Promise<void> {
  const { columns, params } = hostColumns(set)
  const values = ['lane', ...columns].map(() => '?').join(', ')
  const updates = columns.map((column) => `${column} = excluded.${column}`).join(', ')
  await tx.run(
    `INSERT INTO hosts (${['lane', ...columns].join(', ')}) VALUES (${values})
     ON CONFLICT (lane) DO ${columns.length > 0 ? `UPDATE SET ${updates}` : 'NOTHING'}`,
    [lane, ...params],
  )
}

function hostColumns(set: HostChange): { columns: string[]; params: Param[] } {
  const { columns, params } = codec.write(set)
  const breaker = breakerCodec.write(set.breaker ?? {})
  return { columns: [...columns, ...breaker.columns], params: [...params, ...breaker.params] }
}
