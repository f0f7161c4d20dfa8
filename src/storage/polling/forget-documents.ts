// What is known of the documents that sources gave last: without it the next poll reads whatever it gets.
import { NEVER_POLLED } from '../../domain/source.ts'
import type { Db } from '../database/db.ts'

const NO_VALIDATORS = JSON.stringify(NEVER_POLLED.validators)

/** Of all sources. Returns of how many there was something to forget. */
export function forgetDocuments(db: Db): Promise<number> {
  return db.run('UPDATE sources SET validators = ?, body_hash = NULL WHERE body_hash IS NOT NULL OR validators <> ?', [
    NO_VALIDATORS,
    NO_VALIDATORS,
  ])
}
