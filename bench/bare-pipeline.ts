// The least that a program on this runtime has to do for the same posts: ask, unpack, read, hash, clean and pack the HTML,
// and write all of it durably in one transaction, by the same readers and packers as Tidings. It has no safety at all:
// documents are read on the main thread, there is one table with one index, and nobody asks whether an entry is known.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { type Dispatcher, request } from 'undici'
import { packBytes } from '../src/packed-text.ts'
import { DOCUMENT_TASKS } from '../src/workers/document-tasks.ts'

const SCHEMA = `
  PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY;
  CREATE TABLE posts (
    id INTEGER PRIMARY KEY, source TEXT NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL, url TEXT NOT NULL,
    published_at INTEGER, author TEXT, guid TEXT, categories TEXT NOT NULL, hash TEXT NOT NULL, UNIQUE (source, hash)
  );
  CREATE TABLE html (id INTEGER PRIMARY KEY, packed BLOB NOT NULL)`

export interface BarePipeline {
  /** Stores what is new. */
  poll(url: string): Promise<void>
  posts(): number
  close(): void
}

export function openBarePipeline(folder: string, dispatcher: Dispatcher): BarePipeline {
  const db = new DatabaseSync(join(folder, 'bare.db'))
  db.exec(SCHEMA)
  const addPost = db.prepare(`INSERT OR IGNORE INTO posts
    (source, title, body, url, published_at, author, guid, categories, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const addHtml = db.prepare('INSERT INTO html (packed) VALUES (?)')
  const count = db.prepare('SELECT count(*) AS posts FROM posts')
  return {
    async poll(url) {
      const { body } = await request(url, { dispatcher, headers: { 'accept-encoding': 'gzip' } })
      const bytes = gunzipSync(await body.arrayBuffer())
      const read = await DOCUMENT_TASKS.feed({ bytes, contentType: undefined, url, newFrom: 0, lastHash: null })
      if (read.kind !== 'feed') throw new Error(`${url} was read as ${read.kind}`)
      const packed = packBytes(Buffer.concat(read.candidates.flatMap(({ htmlBytes }) => htmlBytes ?? [])))
      db.exec('BEGIN IMMEDIATE')
      for (const { title, body, url: link, publishedAt, author, guid, categories, contentHash } of read.candidates)
        addPost.run(url, title, body, link, publishedAt, author, guid, JSON.stringify(categories), contentHash)
      addHtml.run(packed)
      db.exec('COMMIT')
    },
    posts: () => Number(count.get()?.posts),
    close: () => db.close(),
  }
}
