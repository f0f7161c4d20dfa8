// What keeps PostgreSQL from being used is nearly always one of a few things, each with its own remedy.
import { isStoreAway } from '../../domain/problem.ts'

const WHERE = 'app.database.url (--database)'
const SIGNS = 'signs such as @, : and / in a password are written %40, %3A and %2F there'

const BY_CODE: Readonly<Record<string, string>> = {
  '25006': `This server only lets itself be read, as a standby does: name the primary in ${WHERE}.`,
  '28000': `Correct the user in ${WHERE}, or let it in (pg_hba.conf).`,
  '28P01': `Correct user and password in ${WHERE}; ${SIGNS}.`,
  '3D000': `Make that database, or correct its name in ${WHERE}.`,
  '42501': 'Let this user own the database, or give it the right to make tables: GRANT CREATE ON SCHEMA public TO it.',
  '53300': 'Raise max_connections there, or run fewer processes: each takes up to ten connections.',
  ENOTFOUND: `Correct the name of the server in ${WHERE}; ${SIGNS}.`,
}

/** What to do, or null when it is nothing of this kind. */
export function postgresRemedy(error: unknown): string | null {
  const { code = '' } = (error ?? {}) as { code?: string }
  if (Object.hasOwn(BY_CODE, code)) return BY_CODE[code] ?? null
  return isStoreAway(error) ? `Check that the server runs, and address and port in ${WHERE}.` : null
}
