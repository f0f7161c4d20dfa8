// Every transaction that creates, marks, cleans up or moves articles locks the podcast first. So these transactions run
// one after another, and cannot deadlock, whatever the order in which each locks its articles and posts.
import type { Db } from '../database/db.ts'

/** Locks the podcast until the transaction ends. Returns false if it does not exist. */
export async function lockPodcast(tx: Db, id: string): Promise<boolean> {
  return lockRow(tx, id, tx.dialect.forNoKeyUpdate('podcasts'))
}

/** As lockPodcast, but does not wait: returns false if another transaction has locked it. */
export async function tryLockPodcast(tx: Db, id: string): Promise<boolean> {
  return lockRow(tx, id, tx.dialect.forNoKeyUpdateSkipLocked('podcasts'))
}

async function lockRow(tx: Db, id: string, lock: string): Promise<boolean> {
  return (await tx.get(`SELECT id FROM podcasts WHERE id = ? ${lock}`, [id])) !== undefined
}
