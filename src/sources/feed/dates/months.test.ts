import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MONTH_NAMES } from './month-names.ts'
import { monthOf, plainWords } from './months.ts'

/** Where two languages disagree about a word, the one that stands first here has it. */
const LANGUAGES =
  'en fr de de-AT es it pt ca nl sv da nb fi pl cs sk hu ro tr el ru uk bg sr ar he hi id sl et lv lt'.split(' ')

function namesIn(language: string): [word: string, month: number][] {
  const shapes = (['long', 'short'] as const).flatMap((month) => [{ month }, { month, day: 'numeric' } as const])
  return shapes.flatMap((shape) => {
    const format = new Intl.DateTimeFormat(language, { ...shape, timeZone: 'UTC' })
    return Array.from({ length: 12 }, (_, index): [string, number] => {
      const parts = format.formatToParts(Date.UTC(2001, index, 15))
      return [plainWords(parts.find(({ type }) => type === 'month')?.value ?? '').replaceAll('.', ''), index + 1]
    })
  })
}

test('each month is known by the names that the runtime has for it in these languages', () => {
  const seen = new Set<string>()
  for (const [word, month] of LANGUAGES.flatMap(namesIn)) {
    if (word.length < 3 || /[\d\s]/.test(word) || seen.has(word)) continue
    seen.add(word)
    assert.equal(monthOf(word), month, word)
  }
  assert.ok(seen.size > 450)
})

test('no name stands for two months, and each is written as words are compared', () => {
  const words = MONTH_NAMES.flatMap((names) => names.trim().split(/\s+/))
  assert.equal(new Set(words).size, words.length)
  for (const word of words) assert.equal(plainWords(word), word)
})

test('a beginning counts when only one month begins with it, in any language', () => {
  assert.equal(monthOf('septemb'), 9)
  assert.equal(monthOf('noviem'), 11)
  for (const word of ['ju', 'jul', 'mar']) assert.notEqual(monthOf(word), 1)
  for (const word of ['cerve', 'xyz', 'monday']) assert.equal(monthOf(word), null)
})
