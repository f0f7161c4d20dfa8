// Remedies for the usual reasons why PostgreSQL cannot be used, by error code.
import { isStoreAway } from '../../domain/problem.ts'

const WHERE = 'app.database.url (--database)'
const ESCAPES = 'characters such as @, : and / in a password are written as %40, %3A and %2F'

const BY_CODE: Readonly<Record<string, string>> = {
  '25006': `This server is read-only, as a standby is: set the primary in ${WHERE}.`,
  '28000': `Correct the user in ${WHERE}, or allow it in pg_hba.conf.`,
  '28P01': `Correct user and password in ${WHERE}; ${ESCAPES}.`,
  '3D000': `Create that database, or correct its name in ${WHERE}.`,
  '42501':
    'Make this user the owner of the database, or let it create tables: GRANT CREATE ON SCHEMA public TO <user>.',
  '53300': 'Raise max_connections on the server, or run fewer processes: each uses up to ten connections.',
  ENOTFOUND: `Correct the name of the server in ${WHERE}; ${ESCAPES}.`,
}

/** Returns the remedy, or null for any other error. */
export function postgresRemedy(error: unknown): string | null {
  const { code = '' } = (error ?? {}) as { code?: string }
  if (Object.hasOwn(BY_CODE, code)) return BY_CODE[code] ?? null
  return isStoreAway(error) ? `Check that the server runs, and the address and port in ${WHERE}.` : null
}
