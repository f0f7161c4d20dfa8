import { type BreakerState, type HostState, unknownHost } from '../../domain/host.ts'
import { LEASE_MS } from '../../domain/host-lease.ts'
import { CLOCKS_DIFFER_MS } from '../../domain/schedule.ts'
import { AT_ONCE_MS, LONGEST_DELAY_MS } from '../../domain/spacing.ts'
import type { HostVisit, Lease, LeaseRequest } from '../../ports/polling-store.ts'
import { codecOf } from '../database/columns.ts'
import type { Database, Db, Param, Row } from '../database/db.ts'
import { rowOf } from '../database/later-writes.ts'
import { prepared } from '../database/prepared.ts'
import { readFrom } from '../database/row-versions.ts'

export type HostChange = Partial<Omit<HostState, 'lane'>>

const codec = codecOf<Omit<HostState, 'breaker'>>({
  lane: ['lane', 'text'],
  notBefore: ['not_before', 'integer'],
  delayType: ['delay_type', 'text'],
  spacedFor: ['spaced_for', 'text'],
  othersNotBefore: ['others_not_before', 'integer'],
  heldOwners: ['held_owners', 'json'],
  limitedRequests: ['limited_requests', 'json'],
  lastRequestAt: ['last_request_at', 'integer'],
  closedUntil: ['closed_until', 'integer'],
  closedReason: ['closed_reason', 'text'],
  quotaUntil: ['quota_until', 'integer'],
  quotaReason: ['quota_reason', 'text'],
  bareThrottles: ['bare_throttles', 'integer'],
  lastSucceededAt: ['last_succeeded_at', 'integer'],
  lastPollOk: ['last_poll_ok', 'boolean'],
  lastCompletedAt: ['last_completed_at', 'integer'],
  leasedBy: ['held_by', 'text'],
  leasedUntil: ['held_until', 'integer'],
  claimedBy: ['wanted_by', 'text'],
  claimedUntil: ['wanted_until', 'integer'],
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
  return readFrom(row, { ...codec.read(row), breaker: breakerCodec.read(row) })
}

export async function hostState(db: Db, lane: string): Promise<HostState | null> {
  const row = await db.get(prepared('SELECT * FROM hosts WHERE lane = ?'), [lane])
  return row ? readHost(row) : null
}

export async function spacedHosts(db: Db, now: number): Promise<readonly HostState[]> {
  const rows = await db.all('SELECT * FROM hosts WHERE not_before > ? OR others_not_before > ?', [now, now])
  return rows.map(readHost)
}

export async function lockedHost(tx: Db, lane: string): Promise<HostState | null> {
  const row = await tx.get(`SELECT * FROM hosts WHERE lane = ? ${tx.dialect.forUpdate('hosts')}`, [lane])
  return row ? readHost(row) : null
}

// The statements below say in SQL what `reservedUntil`, `spacingEndsAt` and `leasedByOther` say of a row that was read:
// another process may come between reading and writing. test/store-contract/same-rules.ts holds them to the same answers.
const RESERVED_LONGER = `hosts.not_before IS NOT NULL AND COALESCE(hosts.last_request_at, 0) <= excluded.last_request_at + ${CLOCKS_DIFFER_MS}
           AND CASE WHEN hosts.spaced_for IS NULL THEN hosts.not_before > excluded.not_before
             ELSE hosts.last_request_at > excluded.last_request_at END`
/** With the reservation that stays. */
const BY_OWNER = ['delay_type', 'spaced_for', 'others_not_before', 'held_owners']
const reserve = (lease: string): string => `INSERT INTO hosts
       (lane, last_request_at, not_before, held_by, held_until, ${BY_OWNER.join(', ')})
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (lane) DO UPDATE SET
       last_request_at = excluded.last_request_at,
       ${lease},
       ${['not_before', ...BY_OWNER]
         .map((column) => `${column} = CASE WHEN ${RESERVED_LONGER} THEN hosts.${column} ELSE excluded.${column} END`)
         .join(',\n       ')}`

const RESERVE = reserve('held_by = excluded.held_by, held_until = excluded.held_until')

function reservation(lane: string, visit: HostVisit, lease: Lease | null): Param[] {
  const { delayType = null, spacedFor = null, othersNotBefore = null, heldOwners = null } = visit
  const { params } = codec.write({ delayType, spacedFor, othersNotBefore, heldOwners })
  const leasedUntil = lease === null ? null : Math.round(lease.until)
  return [lane, Math.round(visit.startedAt), Math.round(visit.notBefore), lease?.by ?? null, leasedUntil, ...params]
}

/** `held_owners` is not asked: the lane looked at it, and whoever leases the host must have seen its last visit. */
const NOT_BEFORE_FOR = 'CASE WHEN hosts.spaced_for <> ? THEN hosts.others_not_before ELSE hosts.not_before END'
const SPACING_IS_OVER = `(COALESCE(${NOT_BEFORE_FOR}, 0) <= excluded.last_request_at
       OR hosts.not_before > excluded.last_request_at + ${LONGEST_DELAY_MS}
       OR hosts.last_request_at > excluded.last_request_at + ${AT_ONCE_MS})`

const LEASED_BY_NO_OTHER = `(hosts.held_by IS NULL OR hosts.held_by = excluded.held_by
       OR COALESCE(hosts.held_until, 0) <= excluded.last_request_at
       OR hosts.held_until > excluded.last_request_at + ${2 * LEASE_MS})`

/** -1 stands for "never asked": no timestamp is negative. */
const NEVER = -1

/** If the host was free, it is leased and reserved now. */
export async function leaseHost(db: Database, lane: string, visit: LeaseRequest): Promise<HostState | null> {
  const { lastRequestAt } = visit
  const asSeen =
    lastRequestAt === undefined ? '' : `AND COALESCE(hosts.last_request_at, ${NEVER}) = ${db.dialect.bigint}`
  // A single process ignores leases left by one that crashed.
  const free = visit.lease === null ? '' : `AND ${LEASED_BY_NO_OTHER}`
  const { isShared, rowVersion } = db.dialect
  // As JSON: the driver takes longer to read thirty columns than one.
  const returned = `RETURNING ${isShared ? 'row_to_json(hosts) AS host_row' : '*'}${rowVersion('hosts')}`
  const row = await db.write(prepared(`${RESERVE} WHERE ${SPACING_IS_OVER} ${free} ${asSeen} ${returned}`), [
    ...reservation(lane, visit, visit.lease),
    visit.userId ?? '',
    ...(lastRequestAt === undefined ? [] : [lastRequestAt ?? NEVER]),
  ])
  return row ? readHost(isShared ? { ...(row.host_row as Row), row_version: row.row_version } : row) : null
}

export async function extendLease(db: Db, lane: string, visit: HostVisit, lease: Lease | null): Promise<boolean> {
  const still = lease === null ? '' : 'WHERE hosts.held_by = excluded.held_by'
  return (await db.run(`${RESERVE} ${still}`, reservation(lane, visit, lease))) > 0
}

/** The lease of another process stays: it took over when this one's lease had ended. */
const LEAVE = reserve(
  `held_by = CASE WHEN hosts.held_by = ? THEN NULL ELSE hosts.held_by END,
       held_until = CASE WHEN hosts.held_by = ? THEN NULL ELSE hosts.held_until END`,
)

export async function releaseHost(db: Db, lane: string, visit: HostVisit, leasedBy: string | null): Promise<void> {
  await db.run(LEAVE, [...reservation(lane, visit, null), leasedBy, leasedBy])
}

/** Of these lanes, those that this process still has a lease on. */
export async function renewLeases(db: Db, lanes: readonly string[], lease: Lease): Promise<void> {
  const { list, oneOf } = db.dialect
  await db.run(`UPDATE hosts SET held_until = ? WHERE held_by = ? AND ${oneOf('lane')}`, [
    ...[Math.round(lease.until), lease.by],
    list(lanes),
  ])
}

export async function claimNextTurn(db: Db, lane: string, claim: Lease): Promise<void> {
  await db.run('UPDATE hosts SET wanted_by = ?, wanted_until = ? WHERE lane = ?', [
    ...[claim.by, Math.round(claim.until)],
    lane,
  ])
}

/** The instants of a lane that are counted from its last request. */
const MOVED_BACK = [
  'not_before',
  'others_not_before',
  'closed_until',
  'quota_until',
  'last_completed_at',
  'breaker_since',
  'breaker_probe_at',
  'breaker_probing_since',
  'held_until',
  'wanted_until',
]

/**
 * A last request in the future counts as made now, and everything that is counted from it moves back as much. A request
 * that is ahead only because two clocks differ stays as it is: no host is asked sooner because of it.
 */
export async function setHostsBack(db: Db, now: number): Promise<void> {
  const moved = MOVED_BACK.map((column) => `${column} = ${column} - (last_request_at - ?)`).join(', ')
  const forgotten = 'held_owners = NULL, limited_requests = NULL'
  await db.run(`UPDATE hosts SET ${moved}, ${forgotten}, last_request_at = ? WHERE last_request_at > ?`, [
    ...MOVED_BACK.map(() => now),
    ...[now, now + CLOCKS_DIFFER_MS],
  ])
}

export async function changeHost(
  db: Database,
  lane: string,
  change: (current: HostState) => HostChange | null,
): Promise<HostState> {
  return db.transaction(async (tx) => {
    const current = (await lockedHost(tx, lane)) ?? unknownHost(lane)
    const set = change(current)
    if (set) await updateHost(tx, lane, set)
    return { ...current, ...set }
  })
}

/** Writes what `set` names; a host without a row gets one. */
export async function updateHost(tx: Db, lane: string, set: HostChange): Promise<void> {
  const { columns, params } = hostColumns(set)
  const values = ['lane', ...columns].map(() => '?').join(', ')
  const updates = columns.map((column) => `${column} = excluded.${column}`).join(', ')
  await tx.run(
    `INSERT INTO hosts (${['lane', ...columns].join(', ')}) ${rowOf(tx, values)}
     ON CONFLICT (lane) DO ${columns.length > 0 ? `UPDATE SET ${updates}` : 'NOTHING'}`,
    [lane, ...params],
  )
}

function hostColumns(set: HostChange): { columns: string[]; params: Param[] } {
  const { columns, params } = codec.write(set)
  const breaker = breakerCodec.write(set.breaker ?? {})
  return { columns: [...columns, ...breaker.columns], params: [...params, ...breaker.params] }
}
