import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { minutesAhead, otherNames, placeNamed } from './places.ts'

const listed = Intl.supportedValuesOf('timeZone')

test('all places that the runtime lists are known, and all others here are known to it', () => {
  for (const name of listed) assert.ok(placeNamed(name.toLowerCase()), name)
  for (const name of otherNames()) assert.doesNotThrow(() => new Intl.DateTimeFormat('en', { timeZone: name }), name)
  for (const name of ['europe/atlantis', 'europe', 'paris', '']) assert.equal(placeNamed(name), null)
  for (const name of ['us/eastern', 'europe/kyiv', 'asia/kolkata']) assert.equal(placeNamed(name), name)
})

/** In the runtime's spelling. */
function offsetOf(place: string, instantMs: number): number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: place, timeZoneName: 'longOffset' })
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(format.format(instantMs)) ?? ['', '', '0', '0']
  const value = Number(hours) * 60 + Number(minutes)
  return sign === '-' && value > 0 ? -value : value
}

const secondsIn = (first: number, behind: number) =>
  fc.integer({ min: Date.UTC(first, 0, 1) / 1000, max: Date.UTC(behind, 0, 1) / 1000 - 1 })

test('clocks are ahead by what the runtime says, in every place and year', () => {
  const instant = fc.oneof(secondsIn(1000, 10_000), secondsIn(1790, 2110))
  fc.assert(
    fc.property(fc.constantFrom(...listed), instant, (place, second) => {
      assert.equal(minutesAhead(place, second * 1000), offsetOf(place, second * 1000))
    }),
    {
      numRuns: 1000,
      examples: [
        ['Pacific/Kiritimati', 1_767_225_599],
        ['Pacific/Niue', 1_767_225_600],
      ],
    },
  )
})
