// Pages behind posts: which are due, and what became of them. Each write names the due time that was read, so that of
// several processes only one moves or finishes a page.
import { EVERYBODY, type FreeVisitors } from '../../domain/owner-spacing.ts'
import type { TextBehindPost } from '../../domain/post.ts'
import { packText } from '../../packed-text.ts'
import type { PageAsRead, PageResult, PageToFetch } from '../../ports/page-store.ts'
import type { Database, Db } from '../database/db.ts'
import { insertEvents } from '../events/events.ts'
import { mayBeVisitedFor } from '../hosts/free-visitors.ts'
import { readPost } from '../polling/post-row.ts'
import { indexAgain } from '../posts/index-posts.ts'
import { getSource } from '../sources/get-source.ts'

export async function lanesOfDuePages(db: Db, now: number): Promise<readonly string[]> {
  const rows = await db.all('SELECT DISTINCT lane FROM page_fetches WHERE due_at <= ? ORDER BY lane', [now])
  return rows.map((row) => row.lane as string)
}

export async function nextPageOf(
  db: Db,
  lane: string,
  now: number,
  except: readonly string[],
  free: FreeVisitors = EVERYBODY,
): Promise<PageToFetch | null> {
  const visitors = mayBeVisitedFor(db, free)
  const row = await db.get(
    `SELECT o.*, f.url AS page_url, f.kind AS page_kind, f.lane AS page_lane, f.due_at, f.tries
     FROM page_fetches f JOIN posts o ON o.id = f.post_id JOIN sources s ON s.id = o.source_id
       JOIN podcasts p ON p.id = s.podcast_id
     WHERE f.lane = ? AND f.due_at <= ? AND NOT (${db.dialect.oneOf('f.post_id')})${visitors.sql}
     ORDER BY f.due_at, f.post_id DESC LIMIT 1`,
    [lane, now, db.dialect.list(except.map(Number)), ...visitors.params],
  )
  const source = row ? await getSource(db, row.source_id as string) : null
  if (!row || !source) return null
  return {
    post: readPost(row),
    source,
    url: row.page_url as string,
    kind: row.page_kind as PageToFetch['kind'],
    lane: row.page_lane as string,
    dueAt: Number(row.due_at),
    tries: Number(row.tries),
  }
}

export async function movePage(
  db: Db,
  { postId, dueAt }: PageAsRead,
  to: { readonly dueAt: number; readonly tries: number },
): Promise<boolean> {
  const sql = 'UPDATE page_fetches SET due_at = ?, tries = ? WHERE post_id = ? AND due_at = ?'
  return (await db.run(sql, [Math.round(to.dueAt), to.tries, Number(postId), dueAt])) > 0
}

const STORED_SIZE = `COALESCE((SELECT COALESCE(octet_length(html), 0) + COALESCE(octet_length(full_text), 0)
  FROM post_contents WHERE post_id = posts.id), 0)`
/** Leaves what a post takes of its bundle. Without one, what was counted may be too little: see migration 0029. */
const FORGET_SIZE = `UPDATE posts SET content_bytes =
  CASE WHEN html_bundle IS NULL THEN 0 ELSE content_bytes - ${STORED_SIZE} END WHERE id = ?`

export async function finishPage(db: Database, { postId, dueAt }: PageAsRead, result: PageResult): Promise<boolean> {
  const { state, reason, image, language, usagePreferences } = result
  const [text, html] = [packed(result.text), packed(result.html)]
  return db.transaction(async (tx) => {
    const id = Number(postId)
    if ((await tx.run('DELETE FROM page_fetches WHERE post_id = ? AND due_at = ?', [id, dueAt])) === 0) return false
    await tx.run(
      `UPDATE posts SET full_text_state = ?, full_text_reason = ?, image = COALESCE(image, ?),
         language = COALESCE(language, ?), usage_preferences = COALESCE(?, usage_preferences) WHERE id = ?`,
      [state, reason, image, language, usagePreferences, id],
    )
    if (text) {
      await tx.run(FORGET_SIZE, [id])
      await tx.run(
        `INSERT INTO post_contents (post_id, html, full_text) VALUES (?, ?, ?)
         ON CONFLICT (post_id) DO UPDATE SET full_text = excluded.full_text,
           html = COALESCE(excluded.html, post_contents.html)`,
        [id, html, text],
      )
      await tx.run(`UPDATE posts SET content_bytes = content_bytes + ${STORED_SIZE} WHERE id = ?`, [id])
      await indexAgain(tx, id)
    }
    await insertEvents(tx, result.events)
    return true
  })
}

function packed(text: string | null): Uint8Array | null {
  return text === null ? null : packText(text)
}

/** A page that is due already may be on its way: its due time stays, or its answer would be taken for an old one. */
export async function requestPage(
  db: Database,
  postId: string,
  { url, kind, lane, dueAt }: TextBehindPost & { readonly lane: string; readonly dueAt: number },
): Promise<void> {
  await db.transaction(async (tx) => {
    const id = Number(postId)
    const sql = `UPDATE posts SET full_text_state = 'pending', full_text_reason = NULL WHERE id = ?`
    if ((await tx.run(sql, [id])) === 0) return
    await tx.run(
      `INSERT INTO page_fetches (post_id, url, kind, lane, due_at, tries) VALUES (?, ?, ?, ?, ?, 0)
       ON CONFLICT (post_id) DO UPDATE SET due_at = excluded.due_at WHERE page_fetches.due_at > excluded.due_at`,
      [id, url, kind, lane, dueAt],
    )
  })
}
