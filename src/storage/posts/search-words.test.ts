import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordsOf } from './search-words.ts'

test('words are letters, marks and digits; everything else stands between them', () => {
  assert.deepEqual(wordsOf('List<String> x~y, a.b/c-d_e: 50% don\u2019t \u{1f680}'), [
    ...['list', 'string', 'x', 'y', 'a', 'b', 'c', 'd', 'e', '50', 'don', 't'],
  ])
  assert.deepEqual(wordsOf('हिन्दी ภาษาไทย'), ['हिन्दी', 'ภาษาไทย'])
  assert.deepEqual(wordsOf(' !? '), [])
})

test('forms of the same word are the same, and diacritics are not lost', () => {
  for (const [one, other] of [
    ['cafe\u0301', 'CAFÉ'],
    ['İstanbul', 'istanbul'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
    ['ПРИВЕТ', 'привет'],
    ['ｗｉｄｅ ﬁsh', 'wide FISH'],
  ] as const) {
    assert.deepEqual(wordsOf(one), wordsOf(other))
  }
  assert.notDeepEqual(wordsOf('résumé'), wordsOf('resume'))
})

test('what is too long for a word is cut into pieces that every engine takes', () => {
  for (const word of wordsOf('漢'.repeat(5000) + '\u{20bb7}'.repeat(5000))) assert.ok(Buffer.byteLength(word) <= 2046)
})
