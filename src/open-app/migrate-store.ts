// Moving a store, for the command of that name. A side that cannot be opened is named, with the remedy.
import { migrateStore as move } from '../app/migrate-store.ts'
import type { MigratedStore, MigrateRequest } from '../cli/command-context.ts'
import { DAMAGED_REMEDY, isDamaged } from '../cli/connection/damaged-store.ts'
import { postgresRemedy } from '../cli/connection/postgres-remedy.ts'
import { CliFailure } from '../cli/failure.ts'
import { redactText } from '../log.ts'
import { reasonOf } from './start-failure.ts'

export function migrateStore(request: MigrateRequest): Promise<MigratedStore> {
  return move({ ...request, opening: openOrExplain })
}

async function openOrExplain<T>(url: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    const remedy = isDamaged(error) ? DAMAGED_REMEDY : (postgresRemedy(error) ?? '')
    throw new CliFailure(`Cannot use ${redactText(url)}: ${reasonOf(error)}. ${remedy}`.trim(), 1, { cause: error })
  }
}
