import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSearch } from './search-query.ts'

/** Terms as short text: title:, then the words of the phrase, * for a beginning. */
function shown(q: string) {
  const { all, none } = parseSearch(q)
  const texts = (terms: typeof all) =>
    terms.map(({ words, prefix, titleOnly }) => `${titleOnly ? 'title:' : ''}${words.join(' ')}${prefix ? '*' : ''}`)
  return { all: texts(all), none: texts(none) }
}

test('words, phrases, what is left out, and what must be in the title', () => {
  assert.deepEqual(shown('Rust "memory safety" -java -"no thanks" title:Go title:"big news"'), {
    all: ['rust', 'memory safety', 'title:go', 'title:big news'],
    none: ['java', 'no thanks'],
  })
})

test('a word with signs in it is several words that all must occur; left out, it is one thing', () => {
  assert.deepEqual(shown('example.com/a-b'), { all: ['example', 'com', 'a', 'b'], none: [] })
  assert.deepEqual(shown('news -example.com'), { all: ['news'], none: ['example com'] })
  assert.deepEqual(shown('TITLE:x “smart quotes”'), { all: ['title:x', 'smart quotes'], none: [] })
})

test('scripts without spaces are searched by neighbouring characters, one character by its beginning', () => {
  assert.deepEqual(shown('大地震'), { all: ['大地 地震'], none: [] })
  assert.deepEqual(shown('震 "地震 news"'), { all: ['震*', '地震 震 news'], none: [] })
})

test('anything else means nothing', () => {
  for (const odd of ['', '"', '""', '-', '--', 'title:', '😀', '" "', '-"']) assert.deepEqual(shown(odd).none, [], odd)
  assert.deepEqual(shown('"unclosed phrase'), { all: ['unclosed phrase'], none: [] })
})
