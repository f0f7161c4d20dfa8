// What a person types may hold a password; what the command line prints never does.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { openShell, type Typed } from '../support/run-cli.ts'

const PASSWORD = 'topsecret'

function assertSilent({ out, err }: Typed, what: string): void {
  assert.ok(!out.includes(PASSWORD) && !err.includes(PASSWORD), `${what} tells the password:\n${out}${err}`)
}

describe('credentials in an address', () => {
  test('add never prints the password of a page or a feed', async () => {
    await using origin = await startOrigin()
    using shell = openShell()
    const address = (path: string) => `${origin.url.replace('//', `//us:${PASSWORD}@`)}${path}`
    origin.route('/page', {
      contentType: 'text/html',
      body: '<html><head><link rel="alternate" type="application/rss+xml" href="/feed"></head></html>',
    })
    for (const path of ['/feed', '/other']) {
      origin.route(path, { body: rss([{ title: 'One', guid: path, publishedAt: Date.now() }]) })
    }
    const behind = await shell.tidings('add', address('/page'))
    assert.equal(behind.code, 0, behind.err)
    assertSilent(behind, 'add')
    assert.equal(behind.err, `Found ${origin.url}/feed (rss) behind ${origin.url}/page\n`)
    const direct = await shell.tidings('add', address('/other'))
    assert.deepEqual([direct.code, direct.err], [0, 'A source of type rss\n'])
    assertSilent(direct, 'add')
  })

  test('errors never print credentials', async () => {
    using shell = openShell()
    const address = `http://us:"${PASSWORD}"@127.0.0.1:9/feed`
    const cases = [
      ['why', address],
      ['enable', address],
      ['poll', address],
      ['preview', address],
      ['add', address],
      ['add', `us:${PASSWORD}@host/feed`],
      ['add', `ftp://us:${PASSWORD}@host/feed`],
      ['add', `http://us:${PASSWORD}/x@host/feed`],
      ['add', `http://us:${PASSWORD}/x@y#z@host/feed`, '--type', 'rss'],
      ['preview', `http://us:${PASSWORD}?x@host/feed`],
      ['list', '--server', `http://us:${PASSWORD}@127.0.0.1:9`],
      ['doctor', '--server', `http://us:${PASSWORD}@127.0.0.1:9`],
      ['list', '--server', `http://us:${PASSWORD}@ho st`],
      ['list', '--database', `mysql://us:${PASSWORD}@127.0.0.1:9/d`],
      ['doctor', '--database', `postgres://us:${PASSWORD}@127.0.0.1:9/d`],
      ['import', `http://us:${PASSWORD}@host/list.opml`],
      [`http://us:${PASSWORD}@host/feed`],
    ]
    for (const args of cases) {
      const told = await shell.tidings(...args)
      assert.notEqual(told.code, 0, args.join(' '))
      assertSilent(told, args.join(' '))
    }
  })

  test('a password exported with --secrets is imported as credentials, not as a label', async () => {
    using shell = openShell()
    using other = openShell()
    await shell.tidingsWith(`https://us:${PASSWORD}@a.example/feed\n`, 'import', '-')
    const { out } = await shell.tidings('export', '--secrets')
    assert.match(out, new RegExp(`xmlUrl="https://us:${PASSWORD}@`))
    assert.equal((await other.tidingsWith(out, 'import', '-')).code, 0)
    assertSilent(await other.tidings('list', '--json'), 'list')
    assertSilent(await other.tidings('export', '--json'), 'export')
    assert.ok(!readFileSync(join(other.folder, 'tidings.db')).includes(PASSWORD))
    assert.match((await other.tidings('export', '--json', '--secrets')).out, new RegExp(`us:${PASSWORD}@a\\.example`))
  })

  test('export --secrets fails and names the source if its credentials cannot be read', async () => {
    using shell = openShell()
    await shell.tidingsWith(`https://us:${PASSWORD}@a.example/feed\n`, 'import', '-')
    writeFileSync(join(shell.folder, 'master.key'), `${randomBytes(32).toString('base64')}\n`)
    for (const form of [[], ['--json']]) {
      const { code, out, err } = await shell.tidings('export', '--secrets', ...form)
      assert.deepEqual([code, out], [1, ''])
      assert.match(err, /credentials of https:\/\/a\.example\/feed cannot be read .*export without secrets/)
      assert.equal((await shell.tidings('export', ...form)).code, 0)
    }
  })
})
