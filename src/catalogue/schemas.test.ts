import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Problem } from '../domain/problem.ts'
import { newSource, podcastInput, sourcePatch } from './schemas.ts'
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
