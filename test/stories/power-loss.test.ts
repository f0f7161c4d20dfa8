// A power cut loses what the disk had not written yet: the end of the write-ahead log. A copy of the database with a log
// that is cut, or torn, at a random place stands for that.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { seeded } from '../../bench/seeded.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { aCandidate, aRecord, aSource, NOW, poll, withSources } from '../store-contract/fixtures.ts'

const POLLS = 20
const POSTS_PER_POLL = 8
const CUTS = 40

test('a power cut may lose the last polls, but never a part of one, and the file stays whole', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'tidings-power-'))
  const path = join(dir, 'tidings.db')
  const store = await openStore(`file:${path}`, { now: NOW })
  try {
    await withSources(store, aSource('s1'))
    for (let n = 1; n <= POLLS; n++) {
      const posts = Array.from({ length: POSTS_PER_POLL }, (_, k) =>
        aCandidate(`${n}-${k}`, { body: `body ${n} ${k}` }),
      )
      await poll(store, 's1', { posts, lane: 'a.example', effects: { record: aRecord('s1', { found: n }) } })
    }
    const [database, log] = await Promise.all([readFile(path), readFile(`${path}-wal`)])
    const chance = seeded(7)
    const lengths = Array.from({ length: CUTS }, () => Math.floor(chance() * log.length)).sort((a, b) => a - b)
    const kept: number[] = []
    for (const [index, length] of [0, ...lengths, log.length].entries()) {
      const copy = join(dir, `cut-${index}.db`)
      await writeFile(copy, database)
      const cut = Buffer.from(log.subarray(0, length))
      // Every third: the last bytes arrived as something else.
      if (index % 3 === 2 && length < log.length) cut.fill(0xa5, Math.max(0, length - 500))
      await writeFile(`${copy}-wal`, cut)
      kept.push(pollsIn(copy))
    }
    assert.deepEqual([kept[0], kept.at(-1)], [0, POLLS], 'without the log nothing, with all of it everything')
    assert.ok(new Set(kept).size > 5, 'cuts at many places')
  } finally {
    await store.close()
    await rm(dir, { recursive: true, force: true })
  }
})

/** How many polls survived; each of them with all of its posts. */
function pollsIn(path: string): number {
  const db = new DatabaseSync(path)
  try {
    assert.equal(db.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok')
    if (!db.prepare("SELECT name FROM sqlite_master WHERE name = 'polls'").get()) return 0
    assert.deepEqual(db.prepare('PRAGMA foreign_key_check').all(), [])
    const count = (table: string): number => Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n)
    const polls = count('polls')
    assert.equal(count('posts'), polls * POSTS_PER_POLL)
    return polls
  } finally {
    db.close()
  }
}
