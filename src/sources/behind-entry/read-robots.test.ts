import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertWithin } from '../../../test/support/processor-time.ts'
import { readRobots } from './read-robots.ts'

const read = (text: string, path = '/a/b?c=1') => readRobots(text, `https://e.example${path}`, 'Tidings')
const allowed = (text: string, path?: string) => read(text, path).allowed

describe('robots.txt', () => {
  test('the group that names Tidings counts instead of the one for everybody', () => {
    assert.equal(allowed('User-agent: *\nDisallow: /\n\nUser-agent: tidings/1.0\nAllow: /\n'), true)
    assert.equal(allowed('User-agent: Tidings\nDisallow: /a\nUser-agent: *\nAllow: /\n'), false)
    assert.equal(allowed('User-agent: Tidings\nUser-agent: Other\nDisallow: /a\n'), false)
    assert.equal(allowed('User-agent: TidingsBot\nDisallow: /\n'), true)
    assert.equal(allowed('User-agent: *\nDisallow: /\nUser-agent: Tidings\nDisallow:\n'), true)
  })

  test('groups of the same name are one, and comments, blanks and other lines are nothing', () => {
    const text =
      '# hi\nSitemap: https://e.example/s\r\nUSER-AGENT: * # all\r\n\r\nDisallow: /a # no\r\nUser-agent: *\nDisallow: /z'
    assert.equal(allowed(text), false)
    assert.equal(allowed(text, '/z'), false)
    assert.equal(allowed(text, '/y'), true)
    assert.equal(allowed('Disallow: /\n'), true)
    assert.equal(allowed(''), true)
    assert.equal(allowed('<html><body>not found</body></html>'), true)
  })

  test('the longest rule wins, with * and $', () => {
    assert.equal(allowed('User-agent: *\nDisallow: /a\nAllow: /a/b\n'), true)
    assert.equal(allowed('User-agent: *\nDisallow: /*?c=\n'), false)
    assert.equal(allowed('User-agent: *\nDisallow: /a$\n'), true)
  })

  test('an escaped letter is that letter, in the rule and in the address', () => {
    assert.equal(allowed('User-agent: *\nDisallow: /%61/%7e\n', '/a/~b'), false)
    assert.equal(allowed('User-agent: *\nDisallow: /a/b\n', '/%61/%62'), false)
    assert.equal(allowed('User-agent: *\nDisallow: /a%2Fb\n', '/a/b'), true)
    assert.equal(allowed('User-agent: *\nDisallow: /%2A\n', '/a'), true)
  })

  test('the delay and what is stated about use are read', () => {
    const text = 'User-agent: *\nCrawl-delay: 7\nContent-Signal: ai-train=no\nContent-Usage: train-ai=n\nAllow: /\n'
    assert.deepEqual(read(text), {
      allowed: true,
      crawlDelaySeconds: 7,
      usagePreferences: 'Content-Signal: ai-train=no; Content-Usage: train-ai=n',
    })
    assert.equal(read('User-agent: *\nCrawl-delay: -1\n').crawlDelaySeconds, null)
  })

  test('hostile files take time in proportion to their length', async () => {
    const names = (count: number) => 'User-agent: *\nUser-agent: x\n'.repeat(count) + 'Disallow: /x\n'.repeat(count)
    for (const text of [
      names(12_000),
      `User-agent: *\nDisallow: /${'*a'.repeat(400)}b\n`.repeat(60),
      'Content-Signal: a=b'.repeat(25_000),
      ':'.repeat(500_000),
      'User-agent'.repeat(50_000),
      `${' '.repeat(500_000)}x`,
    ]) {
      await assertWithin(2_000, () => read(text, `/${'a'.repeat(1_000)}`))
    }
  })
})
