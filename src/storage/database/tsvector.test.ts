import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { usePostgres } from '../../../test/support/postgres.ts'
import { TsVector } from './tsvector.ts'

const postgres = usePostgres()

/** Each word with its positions; none: it has no position. */
const CASES: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {
  'no words': {},
  'words out of order': { town: [2, 7], old: [1], a: [3, 4, 5], 'old town': [9] },
  'words without positions': { _s61: [], _0x1: [], word: [1] },
  'words of other scripts': { 地震: [1], é: [2], ß: [3], z: [4], '\u{20000}\u{20001}': [5], '\uff5e': [6], ﬀ: [7] },
  'more positions than are kept': { the: Array.from({ length: 400 }, (_, n) => n + 1) },
  'the last position': { end: [16_009], long: [16_383] },
}

test('PostgreSQL reads the same words and positions as from the text form', async () => {
  const client = new pg.Client(await postgres.freshDatabase())
  await client.connect()
  try {
    for (const [name, words] of Object.entries(CASES)) {
      const vector = new TsVector()
      for (const [word, positions] of Object.entries(words)) {
        for (const position of positions) vector.addAll([word], position)
        if (positions.length === 0) vector.addUnplaced(word)
      }
      const text = Object.entries(words).map(([word, at]) => `'${word}'${at.length > 0 ? `:${at.join()}` : ''}`)
      const { rows } = await client.query(
        'SELECT sent, sent = read AS same, CAST(sent AS TEXT) = CAST(read AS TEXT) AS shown FROM (SELECT CAST($1 AS tsvector) AS sent, CAST($2 AS tsvector) AS read) AS forms',
        [vector.toBuffer(), text.join(' ')],
      )
      assert.deepEqual([rows[0].same, rows[0].shown], [true, true], `${name}: ${rows[0].sent}`)
    }
  } finally {
    await client.end()
  }
})
