import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MONTH_NAMES } from './month-names.ts'
import { monthOf, plainWords } from './months.ts'
import { RARER_MONTH_NAMES } from './rarer-month-names.ts'

/** If two languages use a word for different months, the first one in this list wins. */
const LANGUAGES =
  'en fr de de-AT es it pt ca nl sv da nb fi pl cs sk hu ro tr el ru uk bg sr ar he hi id sl et lv lt'.split(' ')
/** Languages of fewer feeds. */
const RARER = (
  'hr bs sr-Latn sq is ga cy eu gl ms fil sw af az uz mt eo fy be mk bs-Cyrl kk ky tg hy ka fa ur ps ug ckb ar-MA ' +
  'ar-DZ ar-LB mr ne bn as gu pa or ta te kn ml th lo km am'
).split(' ')

function namesIn(language: string): [word: string, month: number][] {
  const shapes = (['long', 'short'] as const).flatMap((month) => [{ month }, { month, day: 'numeric' } as const])
  return shapes.flatMap((shape) => {
    const format = new Intl.DateTimeFormat(language, { ...shape, timeZone: 'UTC', calendar: 'gregory' })
    return Array.from({ length: 12 }, (_, index): [string, number] => {
      const parts = format.formatToParts(Date.UTC(2001, index, 15))
      const name = parts.find(({ type }) => type === 'month')?.value.normalize('NFKC') ?? ''
      return [plainWords(name).replace(/[.\u200b-\u200f\u0970]/g, ''), index + 1]
    })
  })
}

test('each month is known by the names that the runtime has for it in these languages', () => {
  const seen = new Set<string>()
  for (const [word, month] of [...LANGUAGES, ...RARER].flatMap(namesIn)) {
    // Names of several words are the business of spellings; single letters are no names.
    if (word.length < (word < '{' ? 3 : 2) || /[\d\s’]/.test(word) || seen.has(word)) continue
    seen.add(word)
    assert.equal(monthOf(word), month, word)
  }
  assert.ok(seen.size > 1000, String(seen.size))
})

test('no name stands for two months, and each is written as words are compared', () => {
  const words = [...MONTH_NAMES, ...RARER_MONTH_NAMES].flatMap((names) => names.trim().split(/\s+/))
  assert.equal(new Set(words).size, words.length)
  for (const word of words) assert.equal(plainWords(word), word)
})

test('a beginning counts when only one month begins with it, in any language', () => {
  assert.equal(monthOf('septemb'), 9)
  assert.equal(monthOf('noviem'), 11)
  for (const word of ['ju', 'jul', 'mar']) assert.notEqual(monthOf(word), 1)
  for (const word of ['cerve', 'xyz', 'monday']) assert.equal(monthOf(word), null)
})

test('rarer names count whole only, and take no beginning away from the others', () => {
  assert.equal(monthOf('kolovoza'), 8)
  assert.equal(monthOf('kolovo'), null)
  assert.equal(monthOf('marzo'), 3)
  // Marso, marta, martxoa and marzu begin with it as well.
  assert.equal(monthOf('mar'), 3)
})

test('what Polish and Croatian call different months by is the Polish month', () => {
  for (const word of ['listopad', 'listopada', 'lis', 'listopadu']) assert.equal(monthOf(word), 11, word)
  assert.equal(monthOf('lip'), 7)
  assert.equal(monthOf('lipnja'), 6)
})

test('the vowels of India tell months apart', () => {
  assert.equal(monthOf(plainWords('जून')), 6)
  assert.equal(monthOf(plainWords('जन')), 1)
  assert.equal(monthOf(plainWords('फ़रवरी')), monthOf(plainWords('फरवरी')))
})
