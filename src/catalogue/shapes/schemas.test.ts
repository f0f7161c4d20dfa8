import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertWithin } from '../../../test/support/processor-time.ts'
import { Problem } from '../../domain/problem.ts'
import { newSource, podcastInput, postQuery, sourcePatch, tokenInput, userInput } from './schemas.ts'
import { readInput, shown } from './validate.ts'

const URL = 'https://example.org/'

function pathsOf(read: () => unknown): readonly string[] {
  try {
    read()
    return []
  } catch (error) {
    assert.ok(error instanceof Problem && error.code === 'invalid-input')
    return error.errors.map(({ path }) => path)
  }
}

describe('instants', () => {
  const errors = (given: string) => [
    ...pathsOf(() => readInput(tokenInput, { name: 'CI', expiresAt: given })),
    ...pathsOf(() => readInput(postQuery, { since: given })),
  ]

  it('of days that the calendar has are read, with or without a time', () => {
    for (const good of ['2028-02-29', '2028-02-29T23:59:59.5Z', '2026-12-31T23:30:00-01:00', '2026-01-01T00:30+0100']) {
      assert.deepEqual(errors(good), [], good)
    }
    assert.equal(readInput(postQuery, { since: '2028-02-29T00:30:00+01:00' }).since, Date.UTC(2028, 1, 28, 23, 30))
  })

  it('of days that the calendar does not have are refused, not moved', () => {
    for (const bad of ['2026-02-30', '2030-02-30T00:00:00Z', '2027-02-29T12:00:00+01:00', '2026-04-31', '2026-13-01']) {
      assert.deepEqual(errors(bad), ['expiresAt', 'since'], bad)
    }
  })
})

describe('ranges of a source', () => {
  for (const [field, least, most] of [
    ['pollIntervalMinutes', 1, 10080],
    ['pollDelaySeconds', 0, 3600],
    ['maxFailures', 1, 1000],
    ['maxBackoffHours', 1, 720],
    ['backfillDays', 0, 365],
  ] as const) {
    it(`${field} is a whole number from ${least} to ${most}, or null`, () => {
      for (const good of [least, most, null])
        assert.deepEqual(
          pathsOf(() => readInput(newSource, { url: URL, [field]: good })),
          [],
        )
      for (const bad of [least - 1, most + 1, least + 0.5, String(least), true, [], {}]) {
        assert.deepEqual(
          pathsOf(() => readInput(newSource, { url: URL, [field]: bad })),
          [field],
          String(bad),
        )
      }
    })
  }

  it('a label has at most 200 characters, a URL 2,000', () => {
    assert.deepEqual(
      pathsOf(() => readInput(newSource, { url: URL, label: 'x'.repeat(200) })),
      [],
    )
    assert.deepEqual(
      pathsOf(() => readInput(newSource, { url: URL, label: 'x'.repeat(201) })),
      ['label'],
    )
    assert.deepEqual(
      pathsOf(() => readInput(newSource, { url: URL.padEnd(2000, 'x') })),
      [],
    )
    assert.deepEqual(
      pathsOf(() => readInput(newSource, { url: URL.padEnd(2001, 'x') })),
      ['url'],
    )
  })

  it('enabled, aggregate, honourFreshness and validate are true or false', () => {
    const bad = { enabled: 'yes', aggregate: 1, honourFreshness: 'false', validate: 0 }
    assert.deepEqual(pathsOf(() => readInput(sourcePatch, bad)).toSorted(), Object.keys(bad).toSorted())
    // Nothing stands behind enabled that null could go back to.
    assert.deepEqual(
      pathsOf(() => readInput(sourcePatch, { enabled: null })),
      ['enabled'],
    )
  })
})

describe('messages', () => {
  const messageOf = (read: () => unknown): string => {
    try {
      read()
    } catch (error) {
      return (error as Problem).message
    }
    return ''
  }

  it('name what was expected, what was given, and each problem', () => {
    assert.equal(
      messageOf(() => readInput(podcastInput, { name: ' ', maxArticleAgeDays: 'week', extra: 1 })),
      'name: expected a name that is not blank, got ""; ' +
        'maxArticleAgeDays: expected a whole number from 1 to 3650, got "week"; extra: unknown field; leave it out',
    )
    assert.equal(
      messageOf(() => readInput(podcastInput, { name: 'half \ud83d' })),
      'name: expected a name of whole characters, got half of one',
    )
    assert.equal(
      messageOf(() => readInput(podcastInput, 'x')),
      'expected an object, got "x"',
    )
  })

  it('show what was given cut, escaped and without credentials', () => {
    assert.equal(shown(undefined), 'nothing')
    assert.equal(shown('a\u0007\n'), '"a\\u0007\\n"')
    assert.equal(shown('x'.repeat(100)), `"${'x'.repeat(80)}…"`)
    assert.equal(shown('https://me:hush@example.org/a@b'), '"https://***@example.org/a@b"')
    assert.equal(shown({ secret: 1 }), 'an object')
  })
})

it('what is far too long is refused at once, whatever it consists of', async () => {
  for (const piece of ['x', ':', '@', 'a:', '//', '/:@', ' @', 'http://a:']) {
    const name = piece.repeat(1_000_000 / piece.length)
    await assertWithin(100, () => assert.throws(() => readInput(userInput, { name }), /name: expected/))
  }
})
