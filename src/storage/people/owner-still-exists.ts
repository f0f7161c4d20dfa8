// What belongs to a user or podcast is written after its owner was looked at, sometimes long after: a new source is
// tested first. Whoever deletes the owner meanwhile was quicker, and the answer is that of any later call.
import { Problem } from '../../domain/problem.ts'
import type { Db } from '../database/db.ts'

export async function unlessGone<T>(db: Db, owner: 'user' | 'podcast', write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (db.dialect.isForeignKeyViolation(error)) throw gone(owner)
    throw error
  }
}

export function gone(owner: 'user' | 'podcast'): Problem {
  return new Problem('not-found', `There is no such ${owner}.`)
}
