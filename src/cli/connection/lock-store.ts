// Keeps every other process off an SQLite file while a command replaces or copies all of it.
import { readServeFile } from '../../store-lock/serve-file.ts'
import { type Lock, lockForServe } from '../../store-lock/store-lock.ts'
import { CliFailure } from '../failure.ts'

export function lockOrRefuse(store: string, then: string): Lock {
  const lock = lockForServe(store)
  if (lock) return lock
  const running = readServeFile(store)
  const who = running ? `A tidings serve (process ${running.pid})` : 'Another tidings command'
  throw new CliFailure(`${who} uses ${store}: stop it first, then ${then}.`)
}
