// `watch` in a pseudo-terminal and in a pipe, beside a serve that polls.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutColours } from '../../src/cli/terminal/colour.ts'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { openTerminal } from '../support/pseudo-terminal.ts'
import { openShell } from '../support/run-cli.ts'
import { startServe } from '../support/serve-process.ts'

const SCREENS = /\u001b\[H/

test('watch shows lanes and polls as they happen, fits the terminal, and gives the screen back', async () => {
  await using origin = await startOrigin()
  using shell = openShell()
  await using _serve = await startServe(shell.folder)
  origin.route('/feed', { body: rss([{ title: 'One', guid: '1' }]) })
  await using terminal = openTerminal(['watch', '--data', shell.folder], { columns: 70, rows: 20 })
  await terminal.shows('No polls yet.')
  assert.equal((await shell.tidings('add', `${origin.url}/feed`)).code, 0)
  await terminal.shows('success')
  await terminal.shows('127.0.0.1')
  origin.route('/feed', { status: 404 })
  await shell.tidings('poll', `${origin.url}/feed`)
  await terminal.shows('permanent')
  terminal.type('q')
  assert.equal(await terminal.ended, 0)
  const [before = '', ...screens] = terminal.screen().split(SCREENS)
  // The second screen of the terminal is entered first and left last.
  assert.ok(before.includes('\u001b[?1049h'))
  assert.ok(terminal.screen().trimEnd().endsWith('\u001b[?1049l'))
  const last = screens.at(-1)?.split('\u001b[J')[0] ?? ''
  const lines = withoutColours(last).replaceAll('\u001b[K', '').split(/\r*\n/)
  assert.ok(lines.length <= 20, `${lines.length} lines`)
  for (const line of lines) assert.ok(line.length <= 70, line)
  assert.match(lines[1] ?? '', /^1 sources, 1 failing, 0 disabled, 0 due, 0 requests in flight/)
})

test('Ctrl-C ends it too, and without a serve there is nothing to watch', async () => {
  using shell = openShell()
  const alone = await shell.tidings('watch')
  assert.deepEqual([alone.code, /Start one with "tidings serve"/.test(alone.err)], [1, true])
  await using _serve = await startServe(shell.folder)
  await using terminal = openTerminal(['watch', '--data', shell.folder])
  await terminal.shows('0 sources')
  terminal.type('\u0003')
  assert.equal(await terminal.ended, 0)
})

test('in a pipe it prints one line for each poll from now on', async () => {
  await using origin = await startOrigin()
  using shell = openShell()
  await using _serve = await startServe(shell.folder)
  origin.route('/feed', { body: rss([{ title: 'One', guid: '1' }]) })
  assert.equal((await shell.tidings('add', `${origin.url}/feed`)).code, 0)
  const ending = new AbortController()
  const polled = Promise.withResolvers<string>()
  using watcher = openShell({
    ending: ending.signal,
    stdout: { write: (text) => polled.resolve(text) },
  })
  const watching = watcher.tidings('watch', '--json', '--data', shell.folder)
  const polling = async () => {
    // Only polls that begin after it watches are shown, so it is polled until one is.
    for (let shown = false; !shown; ) {
      await shell.tidings('poll', `${origin.url}/feed`)
      shown = await Promise.race([
        polled.promise.then(() => true),
        new Promise<false>((done) => setTimeout(done, 1200, false)),
      ])
    }
  }
  await polling()
  const poll = JSON.parse(await polled.promise)
  assert.deepEqual([poll.url, poll.outcome], [`${origin.url}/feed`, 'success'])
  ending.abort()
  assert.equal((await watching).code, 0)
})
