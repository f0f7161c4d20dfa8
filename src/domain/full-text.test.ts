import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterFailure, looksCut, textBehind, wantedTexts } from './full-text.ts'
import { knownRobots, robotsKind } from './robots.ts'

const LONG = 'Sentence after sentence of a text that is long enough to be whole. '.repeat(10).trim()
const HOUR = 3_600_000

test('a text looks cut by its end, in the common languages, or by its length', () => {
  assert.equal(looksCut('Short.'), true)
  assert.equal(looksCut(LONG), false)
  for (const end of [
    ...[
      '…',
      '...',
      '[…]',
      '[...]',
      ' Read more',
      ' Read More »',
      ' Continue reading →',
      ' read the full story',
      ' [+]',
    ],
    ...[' Weiterlesen', ' Lire la suite', ' Leer más', ' Leggi tutto', ' Ler mais', ' Lees verder', ' Läs mer'],
    ...[' Czytaj dalej', ' Читать далее', ' Devamını oku', '続きを読む', ' 阅读更多', ' 더 보기', ' اقرأ المزيد'],
    ' […] The post A title appeared first on The blog.',
  ])
    assert.equal(looksCut(LONG + end), true, end)
  for (const end of [
    ' There is much more to say about it.',
    ' "Read more books", he said.',
    ' Nevermore.',
    ' (and more).',
  ])
    assert.equal(looksCut(LONG + end), false, end)
})

test('a text looks cut when its last words ask to read on, and name its title', () => {
  for (const end of [
    ' Continue reading The tide →',
    ' Continue reading “The tide”',
    ' Weiterlesen: The tide',
    ' Read more The tide.',
  ])
    assert.equal(looksCut(LONG + end, end.endsWith('.') ? 'The tide.' : 'The tide'), true, end)
  assert.equal(looksCut(`${LONG} That is all about The tide`, 'The tide'), false)
  assert.equal(looksCut(`${LONG} The tide`, 'The tide'), false)
})

test('a post leads to its transcript, else to its page, unless that is the source itself', () => {
  const source = 'https://a.example/feed'
  assert.deepEqual(textBehind({ url: 'https://a.example/1' }, source), { url: 'https://a.example/1', kind: 'page' })
  assert.equal(textBehind({ url: source }, source), null)
  const transcriptUrl = 'https://a.example/t.vtt'
  assert.deepEqual(textBehind({ url: source, transcriptUrl }, source), { url: transcriptUrl, kind: 'transcript' })
})

test('the newest posts that look cut are wanted, and every transcript unless the policy is never', () => {
  const post = (body: string, more = {}) => ({
    ...{ title: '', body, url: `https://a.example/${body.length}`, publishedAt: null, author: null, guid: null },
    ...{ categories: [], contentHash: '', ...more },
  })
  const posts = [
    post('Cut…'),
    post(LONG),
    post(`${LONG}!`, { transcriptUrl: 'https://a.example/t.vtt' }),
    post('Short.'),
  ]
  const states = (policy: 'never' | 'auto' | 'always', maxPagesPerPoll: number) =>
    wantedTexts(posts, { policy, maxPagesPerPoll, sourceUrl: '' }).map(({ state }) => state)
  assert.deepEqual(states('auto', 9), ['pending', 'none', 'pending', 'pending'])
  assert.deepEqual(states('auto', 2), ['skipped', 'none', 'pending', 'pending'])
  assert.deepEqual(states('always', 9), ['pending', 'pending', 'pending', 'pending'])
  assert.deepEqual(states('never', 9), ['none', 'none', 'none', 'none'])
})

test('transient failures are tried again three times, permanent ones never', () => {
  const failure = (httpStatus: number) => ({ code: 'http-status', httpStatus, reason: '' }) as const
  const waits = [0, 1, 2, 3].map((tries) => {
    const next = afterFailure(failure(500), tries, 0)
    return next.kind === 'again' ? next.at : null
  })
  assert.deepEqual(waits, [HOUR / 6, HOUR, 6 * HOUR, null])
  assert.equal(afterFailure(failure(404), 0, 0).kind, 'failed')
})

test('robots.txt is asked once a day, or an hour after it gave no answer', () => {
  const at = (kind: 'rules' | 'none' | 'unavailable') => ({ host: 'h', askedAt: 0, kind, text: null })
  assert.equal(knownRobots(null, 0), 'ask')
  assert.deepEqual(knownRobots(at('none'), 24 * HOUR - 1), at('none'))
  assert.equal(knownRobots(at('rules'), 24 * HOUR), 'ask')
  assert.equal(knownRobots(at('unavailable'), 10), HOUR)
  assert.equal(knownRobots(at('unavailable'), HOUR), 'ask')
  assert.equal(knownRobots(at('rules'), -1), 'ask', 'the clock was set back')
  assert.deepEqual([200, 301, 404, 403, 429, 500, null].map(robotsKind), [
    'rules',
    'none',
    'none',
    'none',
    'none',
    'unavailable',
    'unavailable',
  ])
})
