// Commands that change what is there, and the consumer's loop: edit, podcast, articles, polls, webhook.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { openShell, type Shell } from '../support/run-cli.ts'

type Fields = Record<string, unknown>

async function itemsOf(shell: Shell, ...args: string[]): Promise<Fields[]> {
  const typed = await shell.tidings(...args, '--json')
  assert.equal(typed.code, 0, typed.err)
  return typed.json<{ items: Fields[] }>().items
}

describe('edit', () => {
  test('changes what it names and nothing else; default clears an override', async () => {
    using shell = openShell()
    await shell.tidings('add', 'https://example.org/feed', '--type', 'rss', '--no-validate', '--label', 'Old')
    const edited = await shell.tidings(
      ...['edit', 'https://example.org/feed', '--label', 'News', '--interval', '15', '--delay', '0'],
      ...['--max-failures', '9', '--max-backoff', '48', '--filter', 'a,b', '--backfill', '3'],
    )
    assert.equal(edited.code, 0, edited.err)
    assert.match(edited.out, /label: Old -> News\n {2}interval: 30 -> 15\n/)
    const [source] = await itemsOf(shell, 'list')
    assert.deepEqual(
      [source?.label, source?.pollIntervalMinutes, source?.pollDelaySeconds, source?.maxFailures],
      ['News', 15, 0, 9],
    )
    assert.deepEqual([source?.maxBackoffHours, source?.categoryFilter, source?.backfillDays], [48, 'a,b', 3])

    const cleared = ['--interval', 'default', '--delay', 'default', '--label', 'default', '--filter', 'default']
    assert.equal((await shell.tidings('edit', String(source?.id), ...cleared)).code, 0)
    const [after] = await itemsOf(shell, 'list')
    assert.deepEqual(
      [after?.label, after?.pollIntervalMinutes, after?.pollDelaySeconds, after?.categoryFilter, after?.maxFailures],
      [null, 30, null, null, 9],
    )
  })

  test('a new address keeps the source; a podcast moves it; nothing to change is bad usage', async () => {
    using shell = openShell()
    await shell.tidings('add', 'https://example.org/feed', '--type', 'rss', '--no-validate')
    const [before] = await itemsOf(shell, 'list')
    const moved = await shell.tidings(
      ...['edit', 'https://example.org/feed', '--url', 'https://example.org/new', '--no-validate'],
    )
    assert.equal(moved.code, 0, moved.err)
    await shell.tidings('podcast', 'create', 'Evening')
    assert.equal((await shell.tidings('edit', 'https://example.org/new', '--podcast', 'Evening')).code, 0)
    const [after] = await itemsOf(shell, 'list', '--podcast', 'Evening')
    assert.deepEqual([after?.id, after?.url], [before?.id, 'https://example.org/new'])
    assert.equal((await shell.tidings('edit', 'https://example.org/new')).code, 2)
    assert.equal((await shell.tidings('edit', 'https://example.org/new', '--interval', 'often')).code, 2)
    assert.equal((await shell.tidings('edit', 'https://example.org/new', '--interval', '99999')).code, 2)
    assert.equal((await shell.tidings('edit', 'https://example.org/none', '--label', 'x')).code, 1)
  })
})

test('podcasts are created, listed, renamed and removed by name', async () => {
  using shell = openShell()
  const { id } = (await shell.tidings('podcast', 'create', 'Morning', '--json')).json<Fields>()
  assert.equal((await shell.tidings('podcast', 'rename', 'Morning', 'Evening')).code, 0)
  const listed = await itemsOf(shell, 'podcast', 'list')
  assert.deepEqual(
    listed.map((podcast) => podcast.name),
    ['Default', 'Evening'],
  )
  assert.deepEqual((await shell.tidings('podcast', 'remove', 'Evening', '--json')).json(), { id, removed: true })
  assert.equal((await shell.tidings('podcast', 'remove', 'Evening')).code, 1)
  assert.equal((await itemsOf(shell, 'podcast', 'list')).length, 1)
})

test('articles are made, listed and marked as processed; a wrong id changes nothing', async () => {
  await using origin = await startOrigin()
  using shell = openShell()
  origin.route('/feed', {
    body: rss([
      { title: 'One', guid: '1', publishedAt: Date.now() },
      { title: 'Two', guid: '2', publishedAt: Date.now() - 1000 },
    ]),
  })
  await shell.tidings('add', `${origin.url}/feed`, '--backfill', '1')
  const { created } = (await shell.tidings('articles', 'make', '--json')).json<{ created: Fields[] }>()
  assert.deepEqual(created.map(({ title }) => title).toSorted(), ['One', 'Two'])
  const ids = created.map(({ id }) => String(id))
  assert.equal((await shell.tidings('articles', 'done', ids[0] ?? '', '999')).code, 1)
  assert.equal((await itemsOf(shell, 'articles', '--unprocessed')).length, 2)
  assert.deepEqual((await shell.tidings('articles', 'done', ids[0] ?? '', '--json')).json(), { updated: 1 })
  const left = await itemsOf(shell, 'articles', '--unprocessed')
  assert.deepEqual(
    left.map(({ id }) => id),
    [ids[1]],
  )
  assert.equal((await itemsOf(shell, 'articles')).length, 2)
  await shell.tidings('articles', 'done', ids[0] ?? '', '--undo')
  assert.equal((await itemsOf(shell, 'articles', '--unprocessed')).length, 2)
  assert.match((await shell.tidings('articles', 'make', '--window', '0.5')).out, /No new articles/)
  assert.equal((await shell.tidings('articles', 'make', '--window', 'long')).code, 2)
})

test('polls shows the history of a source, newest first, with the reason of a failure', async () => {
  await using origin = await startOrigin()
  using shell = openShell()
  origin.route('/feed', { body: rss([{ title: 'One', guid: '1' }]) })
  await shell.tidings('add', `${origin.url}/feed`)
  origin.route('/feed', { status: 404 })
  await shell.tidings('poll', `${origin.url}/feed`)
  const polls = await itemsOf(shell, 'polls', `${origin.url}/feed`)
  assert.deepEqual(
    polls.map(({ trigger, outcome, httpStatus }) => [trigger, outcome, httpStatus]),
    [
      ['manual', 'permanent', 404],
      ['create', 'success', 200],
    ],
  )
  const shown = await shell.tidings('polls', `${origin.url}/feed`, '--limit', '1')
  assert.match(shown.out, /^STARTED .*\n\d{4}-\S+Z +manual +permanent +404 .*404.*\n$/)
})

test('webhooks are created with a secret that is shown once, listed and removed', async () => {
  using shell = openShell()
  const created = await shell.tidings(
    ...['webhook', 'create', 'https://example.org/hook', '--types', 'posts.created, source.disabled'],
  )
  assert.equal(created.code, 0, created.err)
  assert.match(created.out, /^whsec_\S+\n$/)
  const [webhook] = await itemsOf(shell, 'webhook', 'list')
  assert.deepEqual(webhook?.types, ['posts.created', 'source.disabled'])
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const given = await shell.tidingsWith(
    ...[`${secret}\n`, 'webhook', 'create', 'https://example.org/2', '--secret-stdin', '--json'],
  )
  assert.equal(given.code, 0, given.err)
  assert.ok(!given.out.includes(secret))
  assert.equal((await shell.tidings('webhook', 'create', 'https://example.org/3', '--types', 'post')).code, 2)
  assert.equal((await shell.tidings('webhook', 'remove', String(webhook?.id))).code, 0)
  assert.equal((await itemsOf(shell, 'webhook', 'list')).length, 1)
})

test('posts takes how long ago; an unknown unit is bad usage', async () => {
  await using origin = await startOrigin()
  using shell = openShell()
  origin.route('/feed', { body: rss([{ title: 'One', guid: '1' }]) })
  await shell.tidings('add', `${origin.url}/feed`, '--backfill', '1')
  for (const since of ['2h', '3 days', '1w']) {
    assert.equal((await itemsOf(shell, 'posts', '--since', since)).length, 1, since)
  }
  const wrong = await shell.tidings('posts', '--since', '2 fortnights')
  assert.deepEqual([wrong.code, /30m, 2h, 3d/.test(wrong.err)], [2, true])
})

test('addresses that an import refused are written to a file, corrected and imported again', async () => {
  using shell = openShell()
  const list = 'https://example.org/one\nftp://example.org/two\n'
  const first = await shell.tidingsWith(list, 'import', '-', '--failed', 'again.txt')
  assert.equal(first.code, 1)
  const again = readFileSync(join(shell.folder, 'again.txt'), 'utf8')
  assert.equal(again, 'ftp://example.org/two\n')
  const second = await shell.tidingsWith(again.replace('ftp:', 'https:'), 'import', '-', '--json')
  assert.deepEqual([second.code, second.json().added], [0, 1])
})
