import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  fold,
  mayHaveUnspaced,
  pairs,
  searchPieces,
  searchWords,
  spacedWords,
  unspacedCharacters,
} from './search-words.ts'

test('words consist of letters, marks and digits; everything else separates them', () => {
  assert.deepEqual(searchWords('List<String> x~y, a.b/c-d_e: 50% don\u2019t \u{1f680}'), [
    ...['list', 'string', 'x', 'y', 'a', 'b', 'c', 'd', 'e', '50', 'don', 't'],
  ])
  assert.deepEqual(searchWords('हिन्दी ภา'), ['हिन्दी', 'ภา', 'า'])
  assert.deepEqual(searchWords(' !? '), [])
})

test('different forms of a word are equal, and diacritics make words different', () => {
  for (const [one, other] of [
    ['cafe\u0301', 'CAFÉ'],
    ['İstanbul', 'istanbul'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
    ['ПРИВЕТ', 'привет'],
    ['ｗｉｄｅ ﬁsh', 'wide FISH'],
  ] as const) {
    assert.deepEqual(searchWords(one), searchWords(other))
  }
  assert.notDeepEqual(searchWords('résumé'), searchWords('resume'))
})

test('a very long word is cut into pieces that both engines accept', () => {
  for (const word of searchWords('漢'.repeat(5000) + '\u{20bb7}'.repeat(5000)))
    assert.ok(Buffer.byteLength(word) <= 2046)
})

test('where a script has no spaces, every two neighbouring characters are a word', () => {
  assert.deepEqual(searchWords('大地震 iPhone地震'), ['大地', '地震', '震', 'iphone', '地震', '震'])
  assert.deepEqual(searchWords('スーパー'), ['スー', 'ーパ', 'パー', 'ー'])
  assert.deepEqual(searchWords('한국어 뉴스'), ['한국어', '뉴스'])
})

/** Without the shorter ways for texts of Latin letters and for scripts with spaces. */
function wordsOfPieces(text: string): string[] {
  return searchPieces(text).flatMap((piece) =>
    piece.unspaced ? [...pairs(piece.text), [...piece.text].at(-1) ?? ''] : [piece.text],
  )
}

test('the shorter ways find the same words, whatever character a text contains', () => {
  const differing: string[] = []
  for (let code = 0; code < 0x20000; code++) {
    const text = `Über${String.fromCodePoint(code)}all ${String.fromCodePoint(code)} 7`
    if (searchWords(text).join(' ') !== wordsOfPieces(text).join(' ')) differing.push(code.toString(16))
  }
  assert.deepEqual(differing, [])
  const long = `${'x'.repeat(1200)} ${'ж'.repeat(1200)}`
  for (const text of ['', long, long.slice(0, 1200), 'it’s – “fine” … 5 €', 'Привет, мир — 5 €', 'ab 大地震']) {
    assert.deepEqual(searchWords(text), wordsOfPieces(text), text)
  }
})

/** As the tokenizer `ascii` of FTS5 does it: all that is not ASCII belongs to words. */
function splitAtAsciiSigns(text: string): string[] {
  return text.split(/[\0-/:-@[-`{-\x7f]+/).filter((word) => word !== '')
}

test('whoever splits spaced words at ASCII signs finds the same words, whatever character a text contains', () => {
  const differing: string[] = []
  for (let code = 0; code < 0x20000; code++) {
    const text = `Über${String.fromCodePoint(code)}all ${String.fromCodePoint(code)} 7`
    const found = splitAtAsciiSigns(spacedWords(text, 100))
    if (found.join(' ') !== searchWords(text).join(' ')) differing.push(code.toString(16))
  }
  assert.deepEqual(differing, [])
  for (const length of [249, 250, 499, 500, 501, 750, 1200]) {
    for (const before of [0, 1, 249, 250, 251, 300]) {
      const text = `${'a '.repeat(before)}${'x'.repeat(length)} b`
      assert.deepEqual(splitAtAsciiSigns(spacedWords(text, 10_000)), searchWords(text), `${before} ${length}`)
    }
  }
  assert.deepEqual(splitAtAsciiSigns(spacedWords('a b c d e', 3)), ['a', 'b', 'c'])
  assert.deepEqual(unspacedCharacters('iphone 大地 地震 震 мир'), ['大', '地', '震'])
  assert.deepEqual(unspacedCharacters('it’s fine'), [])
})

test('a text that cannot have characters of a script without spaces has none when it is folded', () => {
  const wrong: string[] = []
  for (let code = 0; code <= 0xffff; code++) {
    const character = String.fromCharCode(code)
    if (!mayHaveUnspaced(character) && unspacedCharacters(fold(character)).length > 0) wrong.push(code.toString(16))
  }
  assert.deepEqual(wrong, [])
  assert.ok(mayHaveUnspaced('地震'))
})
