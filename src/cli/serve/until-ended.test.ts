import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runUntilEnded } from './until-ended.ts'

function running(close: () => Promise<void>) {
  const ending = new AbortController()
  const lines: string[] = []
  const say = (level: string) => (_: object, message: string) => void lines.push(`${level}: ${message}`)
  const log = { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') }
  return { ending, lines, parts: { context: { ending: ending.signal }, log, app: { close }, giveUpMs: 20 } }
}

test('a command that is asked to end logs the beginning and the end of its shutdown', async () => {
  const { ending, lines, parts } = running(async () => {})
  const ended = runUntilEnded(parts, async () => {})
  ending.abort()
  assert.equal(await ended, 0)
  assert.deepEqual(lines, ['info: ending: finishing what is in flight', 'info: ended'])
})

test('a command that cannot finish ends in time, and logs that', async () => {
  const { ending, lines, parts } = running(() => new Promise(() => {}))
  ending.abort()
  // The timer inside does not keep the process alive, so this one does.
  const alive = setInterval(() => {}, 1000)
  try {
    assert.equal(await runUntilEnded(parts, async () => {}), 0)
  } finally {
    clearInterval(alive)
  }
  assert.match(lines[1] ?? '', /^warn: ended without waiting/)
})

test('a command that cannot start closes what it opened, and fails with its own error', async () => {
  let closed = 0
  const { lines, parts } = running(async () => void closed++)
  await assert.rejects(
    runUntilEnded(parts, async () => Promise.reject(new Error('no port'))),
    /no port/,
  )
  assert.deepEqual([closed, lines], [1, []])
})
