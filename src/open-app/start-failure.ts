// An error at the start becomes one sentence with a remedy. The stack trace is logged at level debug.
import { DAMAGED_REMEDY, isDamaged } from '../cli/connection/damaged-store.ts'
import { postgresRemedy } from '../cli/connection/postgres-remedy.ts'
import { CliFailure } from '../cli/failure.ts'
import { databaseOf } from '../config.ts'
import { unwritableRemedy } from '../domain/unwritable-folder.ts'
import { redactText } from '../log.ts'
import type { Config } from '../ports/config.ts'
import type { Log } from '../ports/log.ts'

interface Start {
  readonly config: Config
  readonly log: Log
}

export async function orCannotStart<T>({ config, log }: Start, start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    log.debug({ err: error }, 'could not start')
    throw new CliFailure(`Cannot start: ${reasonOf(error)}${remedyFor(error, config.database.url)}`, 1, {
      cause: error,
    })
  }
}

export function reasonOf(error: unknown): string {
  const { message, code, errors } = error as Error & { code?: string; errors?: readonly Error[] }
  return message || errors?.[0]?.message || code || String(error)
}

function remedyFor(error: unknown, url: string): string {
  if (isDamaged(error)) return `. ${url} is damaged, or not a store of Tidings. ${DAMAGED_REMEDY}`
  const isPostgres = databaseOf(url)?.engine === 'postgres'
  const unwritable = isPostgres ? null : unwritableRemedy(error)
  if (unwritable !== null) return `. ${unwritable}`
  const remedy = isPostgres ? postgresRemedy(error) : null
  return remedy === null ? '' : ` (${redactText(url)}). ${remedy}`
}
