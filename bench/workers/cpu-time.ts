// CPU time of other processes, from /proc: this works on Linux only.
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'

const TICKS_PER_SECOND = 100

interface Times {
  readonly parent: number
  readonly own: number
  /** Of children that ended and were waited for. */
  readonly ended: number
}

function timesOf(pid: number): Times | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before the last parenthesis may contain blanks.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [parent, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14].map((index) => Number(fields[index]))
    return { parent: parent ?? 0, own: (user ?? 0) + (system ?? 0), ended: (endedUser ?? 0) + (endedSystem ?? 0) }
  } catch {
    return null
  }
}

export function cpuSecondsOf(pid: number): number {
  return (timesOf(pid)?.own ?? 0) / TICKS_PER_SECOND
}

/** Of a server that has one process for each connection, told by one of its children. */
export function cpuSecondsOfTree(childPid: number): number {
  const server = timesOf(childPid)?.parent ?? 0
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const children = all.map((name) => timesOf(Number(name))).filter((times) => times?.parent === server)
  const itself = timesOf(server)
  const ticks = children.reduce((sum, times) => sum + (times?.own ?? 0), (itself?.own ?? 0) + (itself?.ended ?? 0))
  return ticks / TICKS_PER_SECOND
}

/** A child of the server, for `cpuSecondsOfTree`. */
export async function postgresProcess(url: string): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query(`SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'`)
  await client.end()
  return rows[0].pid
}
