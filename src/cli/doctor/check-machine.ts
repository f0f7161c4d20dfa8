// Checks of the machine: Node version, clock, name look-ups, disk.
import { lookup } from 'node:dns/promises'
import { access, constants, realpath, stat, statfs } from 'node:fs/promises'
import { isIP } from 'node:net'
import { dirname, parse, resolve } from 'node:path'
import { databaseOf } from '../../config.ts'
import { type Finding, failed, passed } from './finding.ts'

const NEEDED_BYTES = 200 * 1024 * 1024
// A clock that shows an earlier time is not set.
const EARLIEST_TIME = Date.UTC(2026, 0, 1)
const HOSTS_ASKED = 5

export function checkRuntime(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 24 || (major === 24 && minor >= 12)) return passed('runtime', `Node ${version}`)
  return failed('runtime', `Node ${version}`, 'Install Node 24.12 or later.')
}

export function checkClock(now: number, lastTickAt: number | null): Finding {
  const found = new Date(now).toISOString()
  if (now < EARLIEST_TIME) return failed('clock', found, 'The clock is not set: turn on time synchronisation.')
  if (lastTickAt !== null && lastTickAt > now + 60_000) {
    return failed(
      'clock',
      `${found}, but the last tick was later`,
      'The clock was set back, or is behind that of another machine on this store: turn on time synchronisation.',
    )
  }
  return passed('clock', found)
}

/** A name that does not exist is a problem of that source. A resolver that does not answer is a problem of this machine. */
export async function checkDns(hosts: readonly string[]): Promise<Finding> {
  const names = hosts.filter((host) => !isIP(host.replace(/^\[|\]$/g, ''))).slice(0, HOSTS_ASKED)
  if (names.length === 0) return passed('names', 'no host names to look up yet')
  const failures = await Promise.all(
    names.map((name) =>
      lookup(name).then(
        () => null,
        (error: NodeJS.ErrnoException) => error,
      ),
    ),
  )
  const unanswered = failures.filter((error) => error !== null && error.code !== 'ENOTFOUND')
  if (unanswered.length < names.length) return passed('names', `${names.length} host names were looked up`)
  const remedy = 'Check the network and the name servers of this machine (/etc/resolv.conf).'
  return failed('names', `no answer for ${names.join(', ')} (${unanswered[0]?.code})`, remedy)
}

/** Creates nothing. If the folder does not exist, the nearest one above it is checked. */
export async function checkDisk(databaseUrl: string): Promise<Finding> {
  const database = databaseOf(databaseUrl)
  if (database?.engine !== 'sqlite' || database.path === ':memory:')
    return passed('disk', 'the store is not on this disk')
  const folder = await nearestFolder(database.path)
  const elsewhere = 'or choose another folder with --data (app.database.url).'
  try {
    if (!(await stat(folder)).isDirectory())
      return failed('disk', `${folder} is not a folder`, `Move it away, ${elsewhere}`)
    await access(folder, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = await statfs(folder)
    const found = `${Math.round((bavail * bsize) / 1024 / 1024)} MiB free in ${folder}`
    return bavail * bsize >= NEEDED_BYTES ? passed('disk', found) : failed('disk', found, `Make room, ${elsewhere}`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return failed(
      'disk',
      `${folder} may not be written (${code})`,
      `Give this user the right to write there, ${elsewhere}`,
    )
  }
}

async function nearestFolder(path: string): Promise<string> {
  const whole = await realpath(path).catch(() => resolve(path))
  for (let folder = dirname(whole); folder !== dirname(folder); folder = dirname(folder)) {
    const found = await stat(folder).catch(() => null)
    if (found) return folder
  }
  return parse(whole).root
}
