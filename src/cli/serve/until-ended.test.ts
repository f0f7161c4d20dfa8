import assert from 'node:assert/strict'
import { test } from 'node:test'
import { untilEnded } from './until-ended.ts'

function running(close: () => Promise<void>) {
  const ending = new AbortController()
  const lines: string[] = []
  const say = (level: string) => (_: object, message: string) => void lines.push(`${level}: ${message}`)
  const log = { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') }
  return { ending, lines, parts: { world: { ending: ending.signal }, log, app: { close }, giveUpMs: 20 } }
}

test('a command that is asked to end says when it begins to, and when it has', async () => {
  const { ending, lines, parts } = running(async () => {})
  const ended = untilEnded(parts, async () => {})
  ending.abort()
  assert.equal(await ended, 0)
  assert.deepEqual(lines, ['info: ending: finishing what is in flight', 'info: ended'])
})

test('one that cannot finish ends all the same, and says so', async () => {
  const { ending, lines, parts } = running(() => new Promise(() => {}))
  ending.abort()
  // What it waits with keeps no process alive by itself; here nothing else does.
  const alive = setInterval(() => {}, 1000)
  try {
    assert.equal(await untilEnded(parts, async () => {}), 0)
  } finally {
    clearInterval(alive)
  }
  assert.match(lines[1] ?? '', /^warn: ended without waiting/)
})

test('one that cannot begin closes what it opened, and fails for its own reason', async () => {
  let closed = 0
  const { lines, parts } = running(async () => void closed++)
  await assert.rejects(
    untilEnded(parts, async () => Promise.reject(new Error('no port'))),
    /no port/,
  )
  assert.deepEqual([closed, lines], [1, []])
})
