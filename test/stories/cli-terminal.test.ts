// Commands at a terminal: questions before something is removed, colours, tables that fit, long answers page by page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutColours } from '../../src/cli/terminal/colour.ts'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { openTerminal } from '../support/pseudo-terminal.ts'
import { openShell, type Shell } from '../support/run-cli.ts'

const FEED = 'https://a-rather-long-host-name.example.org/feeds/all.xml'

async function shellWithSources(...urls: string[]): Promise<Shell> {
  const shell = openShell()
  assert.equal((await shell.tidingsWith(urls.join('\n'), 'import', '-')).code, 0)
  return shell
}

async function countIn(shell: Shell): Promise<number> {
  return (await shell.tidings('list', '--json')).json<{ items: unknown[] }>().items.length
}

test('remove asks at a terminal: no changes nothing, yes removes, --yes does not ask', async () => {
  using shell = await shellWithSources(FEED, 'https://b.example/')
  const remove = (...args: string[]) => openTerminal(['remove', ...args, '--data', shell.folder])
  {
    await using terminal = remove(FEED)
    await terminal.shows(`Remove ${FEED} and 0 posts? [y/N]`)
    terminal.type('n\r')
    assert.equal(await terminal.ended, 1)
    assert.match(terminal.screen(), /Stopped: nothing was changed\./)
    assert.equal(await countIn(shell), 2)
  }
  {
    await using terminal = remove(FEED)
    await terminal.shows('[y/N]')
    terminal.type('y\r')
    assert.equal(await terminal.ended, 0)
    assert.equal(await countIn(shell), 1)
  }
  await using terminal = remove('https://b.example/', '--yes')
  assert.equal(await terminal.ended, 0)
  assert.ok(!terminal.screen().includes('[y/N]'))
  assert.equal(await countIn(shell), 0)
})

test('at 80 columns a table fits, with the address whole; colours follow the terminal and NO_COLOR', async () => {
  using shell = await shellWithSources(FEED)
  await using colourful = openTerminal(['list', '--data', shell.folder])
  await using plain = openTerminal(['list', '--data', shell.folder], { env: { NO_COLOR: '1' } })
  assert.deepEqual([await colourful.ended, await plain.ended], [0, 0])
  assert.notEqual(withoutColours(colourful.screen()), colourful.screen())
  assert.equal(withoutColours(plain.screen()), plain.screen())
  assert.ok(plain.screen().includes('a-rather-long-host-name.example.org/feeds/all.xml'), plain.screen())
  for (const line of plain.screen().split(/\r?\n/)) assert.ok(line.length <= 80, line)
  const piped = await shell.tidings('list', '--color', 'always')
  assert.notEqual(withoutColours(piped.out), piped.out)
  assert.equal((await shell.tidings('list', '--color', 'sometimes')).code, 2)
})

test('an answer that is longer than the screen goes through $PAGER, a short one does not', async () => {
  const many = Array.from({ length: 20 }, (_, index) => `https://example.org/${index}`)
  using shell = await shellWithSources(...many)
  const list = (rows: number, PAGER: string) => openTerminal(['list', '--data', shell.folder], { rows, env: { PAGER } })
  await using long = list(10, 'sed s/^/paged:/')
  await using short = list(50, 'sed s/^/paged:/')
  await using off = list(10, '')
  await using missing = list(10, 'no-such-pager')
  assert.deepEqual([await long.ended, await short.ended, await off.ended, await missing.ended], [0, 0, 0, 0])
  assert.equal(long.screen().match(/^paged:/gm)?.length, 21)
  for (const terminal of [short, off, missing]) {
    assert.ok(!terminal.screen().includes('paged:'))
    assert.ok(terminal.screen().includes('example.org/19'), terminal.screen())
  }
})

test('add shows the newest posts at a terminal', async () => {
  await using origin = await startOrigin()
  using shell = openShell()
  origin.route('/feed', { body: rss([{ title: 'The first of May', guid: '1', publishedAt: Date.now() - 3_600_000 }]) })
  await using terminal = openTerminal(['add', `${origin.url}/feed`, '--backfill', '1', '--data', shell.folder])
  assert.equal(await terminal.ended, 0)
  assert.match(terminal.screen(), / {2}\+ 1 h ago {2}The first of May/)
})

test('export shows no text from outside raw at a terminal, and keeps it in a file', async () => {
  using shell = await shellWithSources(FEED)
  assert.equal((await shell.tidings('edit', FEED, '--label', 'ab\u202ecd')).code, 0)
  for (const format of ['opml', 'json']) {
    await using terminal = openTerminal(['export', '--format', format, '--data', shell.folder])
    assert.equal(await terminal.ended, 0)
    assert.ok(terminal.screen().includes('ab\\u202ecd'), terminal.screen())
    assert.ok(!terminal.screen().includes('\u202e'))
  }
  assert.ok((await shell.tidings('export')).out.includes('ab\u202ecd'))
  const { out } = await shell.tidings('export', '--format', 'json')
  assert.ok(JSON.stringify(JSON.parse(out)).includes('ab\u202ecd'))
})
