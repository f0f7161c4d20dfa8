// An error at the start becomes one sentence with a remedy. The stack trace is logged at level debug.
import { DAMAGED_REMEDY, isDamaged } from '../cli/connection/damaged-store.ts'
import { postgresRemedy } from '../cli/connection/postgres-remedy.ts'
import { CliFailure } from '../cli/failure.ts'
import { databaseOf } from '../config.ts'
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
    const { message, code, errors } = error as Error & { code?: string; errors?: readonly Error[] }
    const reason = message || errors?.[0]?.message || code || String(error)
    throw new CliFailure(`Cannot start: ${reason}${remedyFor(error, config.database.url)}`, 1, { cause: error })
  }
}

function remedyFor(error: unknown, url: string): string {
  if (isDamaged(error)) return `. ${url} is damaged, or not a store of Tidings. ${DAMAGED_REMEDY}`
  const remedy = databaseOf(url)?.engine === 'postgres' ? postgresRemedy(error) : null
  return remedy === null ? '' : ` (${redactText(url)}). ${remedy}`
}
