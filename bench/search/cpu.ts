// CPU time in milliseconds: that of this process, and of the PostgreSQL server behind a database if it runs on this
// machine. Its processes are found by their parent, and count with those that ended already.
import { readdir, readFile } from 'node:fs/promises'
import type { Database } from '../../src/storage/database/db.ts'

const NS_PER_MS = 1e6
const MS_PER_TICK = 10
// Columns of /proc/PID/stat, counted after the name of the program.
const [PARENT, USER_OF_ENDED, SYSTEM_OF_ENDED] = [1, 13, 14]

export interface Cost {
  readonly cpuMs: number
  readonly wallMs: number
}

/** Looking at the server is not counted. */
export async function costOf(db: Database, work: () => Promise<unknown>): Promise<Cost> {
  const server = await serverCpuMs(db)
  const [own, startedAt] = [process.cpuUsage(), performance.now()]
  await work()
  const wallMs = performance.now() - startedAt
  const { user, system } = process.cpuUsage(own)
  return { cpuMs: (user + system) / 1000 + (await serverCpuMs(db)) - server, wallMs }
}

async function serverCpuMs(db: Database): Promise<number> {
  if (db.dialect.engine !== 'postgres') return 0
  const backend = Number((await db.get('SELECT pg_backend_pid() AS pid'))?.pid)
  const main = Number((await statOf(backend))[PARENT])
  const ofMain = await statOf(main)
  let ms = MS_PER_TICK * (Number(ofMain[USER_OF_ENDED]) + Number(ofMain[SYSTEM_OF_ENDED]))
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)) {
    if (id !== main && Number((await statOf(id))[PARENT]) !== main) continue
    ms += Number.parseInt(await textOf(id, 'schedstat'), 10) / NS_PER_MS
  }
  return ms
}

async function statOf(id: number): Promise<string[]> {
  const text = await textOf(id, 'stat')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

/** Processes may end while they are looked at. */
function textOf(id: number, file: string): Promise<string> {
  return readFile(`/proc/${id}/${file}`, 'utf8').catch(() => '0')
}
