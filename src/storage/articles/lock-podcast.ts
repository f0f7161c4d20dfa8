// Who makes articles of a podcast, marks them, cleans them up or moves them holds the podcast first. So they go one after
// another, in whatever order each of them comes by its articles and posts, and never wait for each other in a circle.
import type { Db } from '../database/db.ts'

/** Until the transaction ends; false when there is none of this id. */
export async function holdPodcast(tx: Db, id: string): Promise<boolean> {
  return isHeld(tx, id, tx.dialect.forUpdateKeepingKeys('podcasts'))
}

/** As above, but false as well when another holds it: for who can come again. */
export async function holdPodcastIfFree(tx: Db, id: string): Promise<boolean> {
  return isHeld(tx, id, tx.dialect.forUpdateOfFreeKeepingKeys('podcasts'))
}

async function isHeld(tx: Db, id: string, lock: string): Promise<boolean> {
  return (await tx.get(`SELECT id FROM podcasts WHERE id = ? ${lock}`, [id])) !== undefined
}
