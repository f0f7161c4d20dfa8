// The owner of a new row (a user or a podcast) is checked before the row is written, sometimes long before: a new source
// is fetched first. If somebody deletes the owner in between, the foreign key fails, and the caller gets "not found".
import { Problem } from '../../domain/problem.ts'
import type { Db } from '../database/db.ts'

export async function ifOwnerExists<T>(db: Db, owner: 'user' | 'podcast', write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (db.dialect.isForeignKeyViolation(error)) throw ownerNotFound(owner)
    throw error
  }
}

export function ownerNotFound(owner: 'user' | 'podcast'): Problem {
  return new Problem('not-found', `There is no such ${owner}.`)
}
