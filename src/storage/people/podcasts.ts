// Podcasts as rows. Removing one is in sources/remove.ts, because its sources go with it.
import type { Podcast } from '../../domain/person.ts'
import type { Page, PageQuery } from '../../ports/page.ts'
import { codecOf } from '../database/columns.ts'
import type { Database, Db } from '../database/db.ts'
import { insertRows } from '../database/insert-rows.ts'
import { prepared } from '../database/prepared.ts'
import { pageOf, readCursor } from '../posts/page-cursor.ts'
import { ifOwnerExists } from './owner-still-exists.ts'
import { addWithinLimit } from './within-limit.ts'

const codec = codecOf<Podcast>({
  id: ['id', 'text'],
  userId: ['user_id', 'text'],
  name: ['name', 'text'],
  topic: ['topic', 'text'],
  maxArticleAgeDays: ['max_article_age_days', 'real'],
  createdAt: ['created_at', 'integer'],
})

export async function addPodcast(
  db: Database,
  podcast: Podcast,
  most: number | null = null,
): Promise<'added' | 'name-taken'> {
  const { columns, params } = codec.write(podcast)
  const added = await addWithinLimit(db, { what: 'podcasts', userId: podcast.userId, most }, async (tx) => {
    if (await isNameTaken(tx, podcast)) return 0
    return ifOwnerExists(tx, 'user', () => insertRows(tx, { table: 'podcasts', columns, rows: [params] }))
  })
  return added === 0 ? 'name-taken' : 'added'
}

/** Whether another podcast of the user has the name. Locks the user first, so that no two can take it at once. */
async function isNameTaken(tx: Db, { id, userId, name }: Podcast): Promise<boolean> {
  await tx.get(`SELECT id FROM users WHERE id = ? ${tx.dialect.forNoKeyUpdate('users')}`, [userId])
  const sql = 'SELECT id FROM podcasts WHERE user_id = ? AND name = ? AND id <> ?'
  return (await tx.get(sql, [userId, name, id])) !== undefined
}

export async function getPodcast(db: Db, id: string): Promise<Podcast | null> {
  const row = await db.get(prepared('SELECT * FROM podcasts WHERE id = ?'), [id])
  return row ? codec.read(row) : null
}

export async function listPodcasts(db: Db, userId: string | null, page: PageQuery): Promise<Page<Podcast>> {
  const [createdAt, id] = readCursor(page.cursor, [0, '']) ?? [-1, '']
  const rows = await db.all(
    `SELECT * FROM podcasts
     WHERE (created_at, id) > (?, ?) ${userId === null ? '' : 'AND user_id = ?'}
     ORDER BY created_at, id LIMIT ?`,
    [createdAt, id, ...(userId === null ? [] : [userId]), page.limit + 1],
  )
  return pageOf(rows.map(codec.read), page.limit, (podcast) => [podcast.createdAt, podcast.id])
}

export async function changePodcast(
  db: Database,
  id: string,
  change: Partial<Pick<Podcast, 'name' | 'topic' | 'maxArticleAgeDays'>>,
): Promise<Podcast | null | 'name-taken'> {
  const { name, topic, maxArticleAgeDays } = change
  return db.transaction(async (tx) => {
    const row = await tx.get(`SELECT * FROM podcasts WHERE id = ? ${tx.dialect.forUpdate('podcasts')}`, [id])
    if (!row) return null
    const before = codec.read(row)
    const after: Podcast = {
      ...before,
      name: name ?? before.name,
      topic: topic === undefined ? before.topic : topic,
      maxArticleAgeDays: maxArticleAgeDays === undefined ? before.maxArticleAgeDays : maxArticleAgeDays,
    }
    if (after.name !== before.name && (await isNameTaken(tx, after))) return 'name-taken'
    await tx.run('UPDATE podcasts SET name = ?, topic = ?, max_article_age_days = ? WHERE id = ?', [
      after.name,
      after.topic,
      after.maxArticleAgeDays,
      id,
    ])
    return after
  })
}
