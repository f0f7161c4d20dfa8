// CPU time in milliseconds of this and of other processes, from /proc: this works on Linux only.
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'

const NS_PER_MS = 1e6
const MS_PER_TICK = 10
// Columns of /proc/PID/stat, counted after the name of the program.
const [PARENT, USER, SYSTEM, USER_OF_ENDED, SYSTEM_OF_ENDED] = [1, 11, 12, 13, 14]

export interface Cost {
  readonly cpuMs: number
  readonly wallMs: number
}

/** `serverPid`: from `postgresProcess`, if what the server takes counts as well. Looking at it is not counted. */
export async function costOf(work: () => Promise<unknown>, serverPid: number | null): Promise<Cost> {
  const server = cpuMsOfServer(serverPid)
  const [own, startedAt] = [process.cpuUsage(), performance.now()]
  await work()
  const wallMs = performance.now() - startedAt
  const { user, system } = process.cpuUsage(own)
  return { cpuMs: (user + system) / 1000 + cpuMsOfServer(serverPid) - server, wallMs }
}

/** With all its threads. */
export function cpuMsOf(pid: number): number {
  return ticksOf(statOf(pid), [USER, SYSTEM]) * MS_PER_TICK
}

/**
 * Of a server that has one process for each connection, told by one of its children. Each has a single thread, so the
 * exact time of that will do. Children that ended count as well.
 */
export function cpuMsOfServer(childPid: number | null): number {
  if (childPid === null) return 0
  const main = statOf(childPid)[PARENT]
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const living = all.filter((name) => name === main || statOf(name)[PARENT] === main)
  const ended = ticksOf(statOf(main ?? ''), [USER_OF_ENDED, SYSTEM_OF_ENDED]) * MS_PER_TICK
  return living.reduce((sum, id) => sum + Number.parseInt(textOf(id, 'schedstat'), 10) / NS_PER_MS, ended)
}

/** A child of the server, for `cpuMsOfServer`. */
export async function postgresProcess(url: string): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query(`SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'`)
  await client.end()
  return rows[0].pid
}

function ticksOf(stat: readonly string[], columns: readonly number[]): number {
  return columns.reduce((sum, column) => sum + Number(stat[column] ?? 0), 0)
}

function statOf(pid: number | string): readonly string[] {
  const text = textOf(pid, 'stat')
  // The name before the last parenthesis may contain blanks.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

/** Processes may end while they are looked at. */
function textOf(pid: number | string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return '0'
  }
}
