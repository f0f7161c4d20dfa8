// How many files and sockets this process may have open. A server that accepts connections until none is left cannot
// open its database or answer anybody.
import { readFileSync } from 'node:fs'

/** Half of the descriptors stay for polls, webhooks and the database. */
const SHARE = 0.5
const FEWEST = 8

/** The configured number, or less if the process may not have that many. */
export function connectionsWithin(configured: number, descriptors: number | null): number {
  return descriptors === null ? configured : Math.max(FEWEST, Math.min(configured, Math.floor(descriptors * SHARE)))
}

/** null where the system does not tell, as outside Linux. */
export function descriptorLimit(readLimits = () => readFileSync('/proc/self/limits', 'utf8')): number | null {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readLimits())?.[1]
    return soft === undefined ? null : Number(soft)
  } catch {
    return null
  }
}
