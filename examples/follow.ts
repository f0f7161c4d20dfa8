// Follows all posts into a database of its own: each post once, none lost, whenever this program or Tidings is killed.
// The trick: a page of posts and the position after it are stored in one transaction.
// Usage: npx node examples/follow.ts posts.db
import { DatabaseSync } from 'node:sqlite'
import type { Post } from 'tidings'
import { ask } from './api.ts'

const PAGE = Number(process.env.PAGE ?? 200)
/** How Tidings calls this reader. `GET .../cursors` then shows how far behind it is. */
const NAME = 'follow-example'

const db = new DatabaseSync(process.argv[2] ?? 'posts.db')
db.exec(`CREATE TABLE IF NOT EXISTS posts (id TEXT PRIMARY KEY, title TEXT, url TEXT, body TEXT);
         CREATE TABLE IF NOT EXISTS place (name TEXT PRIMARY KEY, position TEXT NOT NULL)`)
const insert = db.prepare('INSERT INTO posts (id, title, url, body) VALUES (?, ?, ?, ?)')
const read = db.prepare('SELECT position FROM place WHERE name = ?')
const move = db.prepare('INSERT INTO place VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET position = excluded.position')

for (;;) {
  const position = String(read.get(NAME)?.position ?? '0')
  const page = await ask<{ items: Post[]; position: string }>('GET', `posts?after=${position}&limit=${PAGE}`)
  if (page.position === position) break
  store(page.items, page.position)
  console.log(`${page.items.length} posts up to ${page.position}`)
  // For people who look at Tidings. If it fails, nothing is lost: the truth is in the database.
  await ask('PUT', `cursors/${NAME}`, { position: page.position })
}

function store(posts: readonly Post[], position: string): void {
  db.exec('BEGIN')
  for (const { id, title, url, body } of posts) insert.run(id, title, url, body)
  move.run(NAME, position)
  db.exec('COMMIT')
}
