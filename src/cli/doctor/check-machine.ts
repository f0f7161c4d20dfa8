// The doctor's look at the machine: runtime, clock, names, disk.
import { lookup } from 'node:dns/promises'
import { access, constants, realpath, stat, statfs } from 'node:fs/promises'
import { isIP } from 'node:net'
import { dirname, parse, resolve } from 'node:path'
import { databaseOf } from '../../config.ts'
import { type Finding, ill, well } from './finding.ts'

const NEEDED_BYTES = 200 * 1024 * 1024
// A clock before the day this was written is not set.
const SURELY_PAST = Date.UTC(2026, 0, 1)
const HOSTS_ASKED = 5

export function checkRuntime(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 24 || (major === 24 && minor >= 12)) return well('runtime', `Node ${version}`)
  return ill('runtime', `Node ${version}`, 'Install Node 24.12 or later.')
}

export function checkClock(now: number, lastTickAt: number | null): Finding {
  const found = new Date(now).toISOString()
  if (now < SURELY_PAST) return ill('clock', found, 'The clock is not set: turn on time synchronisation.')
  if (lastTickAt !== null && lastTickAt > now + 60_000) {
    return ill(
      'clock',
      `${found}, but the last tick was later`,
      'The clock was set back, or is behind that of another machine on this store: turn on time synchronisation.',
    )
  }
  return well('clock', found)
}

/** A name that does not exist is that source's trouble; a resolver that does not answer is ours. */
export async function checkDns(hosts: readonly string[]): Promise<Finding> {
  const names = hosts.filter((host) => !isIP(host.replace(/^\[|\]$/g, ''))).slice(0, HOSTS_ASKED)
  if (names.length === 0) return well('names', 'no host names to look up yet')
  const failures = await Promise.all(
    names.map((name) =>
      lookup(name).then(
        () => null,
        (error: NodeJS.ErrnoException) => error,
      ),
    ),
  )
  const unanswered = failures.filter((error) => error !== null && error.code !== 'ENOTFOUND')
  if (unanswered.length < names.length) return well('names', `${names.length} host names were looked up`)
  const remedy = 'Check the network and the name servers of this machine (/etc/resolv.conf).'
  return ill('names', `no answer for ${names.join(', ')} (${unanswered[0]?.code})`, remedy)
}

/** Looks and makes nothing: where the folder is missing, it is the one above that counts. */
export async function checkDisk(databaseUrl: string): Promise<Finding> {
  const database = databaseOf(databaseUrl)
  if (database?.engine !== 'sqlite' || database.path === ':memory:')
    return well('disk', 'the store is not on this disk')
  const place = await nearestPlace(database.path)
  const elsewhere = 'or give another folder with --data (app.database.url).'
  try {
    if (!(await stat(place)).isDirectory()) return ill('disk', `${place} is not a folder`, `Move it away, ${elsewhere}`)
    await access(place, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = await statfs(place)
    const found = `${Math.round((bavail * bsize) / 1024 / 1024)} MiB free in ${place}`
    return bavail * bsize >= NEEDED_BYTES ? well('disk', found) : ill('disk', found, `Make room, ${elsewhere}`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return ill('disk', `${place} may not be written (${code})`, `Give this user the right to write there, ${elsewhere}`)
  }
}

async function nearestPlace(path: string): Promise<string> {
  const whole = await realpath(path).catch(() => resolve(path))
  for (let place = dirname(whole); place !== dirname(place); place = dirname(place)) {
    const found = await stat(place).catch(() => null)
    if (found) return place
  }
  return parse(whole).root
}
