// Commands without a running serve: each opens the store itself, talks REST into its own process, and closes.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { createTidings } from '../../src/index.ts'
import { startApi, type TestApi } from '../support/api.ts'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { openShell } from '../support/run-cli.ts'

interface Items<T = Record<string, unknown>> {
  readonly items: readonly T[]
}

async function isSet({ catalogue }: TestApi, userId: string): Promise<boolean> {
  return (await catalogue.keys.status(userId, 'x')).configured
}

describe('sources', () => {
  test('add finds the feed behind a page, stores it and polls it at once; list, posts and why show it', async () => {
    await using origin = await startOrigin()
    using shell = openShell()
    const feed = `${origin.url}/feed.xml`
    origin.route('/', {
      contentType: 'text/html',
      body: '<html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head></html>',
    })
    origin.route('/feed.xml', { body: rss([{ title: 'First \u202eevil', guid: 'a', publishedAt: Date.now() }]) })

    const added = await shell.tidings(
      'add',
      `${origin.url}/`,
      '--backfill',
      '2',
      '--label',
      'My news',
      '--interval',
      '15',
    )
    assert.equal(added.code, 0, added.err)
    assert.match(added.err, new RegExp(`Found ${feed} \\(rss\\) behind ${origin.url}/`))
    assert.match(added.out, /Added as \S+\nok {6}\S+ {2}1 new/)
    // What the discovery fetched is what the first poll reads: nobody is asked twice.
    assert.deepEqual(
      origin.requests.map(({ path }) => path),
      ['/', '/feed.xml'],
    )

    const { items } = (await shell.tidings('list', '--json')).json<Items>()
    assert.equal(items.length, 1)
    const [source] = items
    assert.deepEqual(
      [source?.url, source?.label, source?.pollIntervalMinutes, source?.backfillDays, source?.postCount],
      [feed, 'My news', 15, 2, 1],
    )
    const listed = await shell.tidings('list', '--ids')
    assert.match(listed.out, new RegExp(`${source?.id}  ok +rss +My news \\(${feed}\\) +1 `))

    const posts = await shell.tidings('posts')
    assert.match(posts.out, /First \\u202eevil/)
    assert.equal((await shell.tidings('posts', '--json')).json<Items>().items[0]?.guid, 'a')
    assert.deepEqual(
      (await shell.tidings('posts', '--since', '2199-01-01T00:00:00Z', '--json')).json<Items>().items,
      [],
    )

    for (const name of [feed, String(source?.id)]) {
      const why = await shell.tidings('why', name)
      assert.equal(why.code, 0, why.err)
      assert.match(why.out, /^[A-Z].+\.\n$/)
    }
  })

  test('the first poll of a new source has the trigger create, later ones have manual', async () => {
    await using origin = await startOrigin()
    using shell = openShell()
    origin.route('/feed.xml', { body: rss([{ title: 'One' }]) })
    const added = await shell.tidings('add', `${origin.url}/feed.xml`, '--json')
    assert.equal(added.json<{ poll: { trigger: string } }>().poll.trigger, 'create')
    const polled = await shell.tidings('poll', `${origin.url}/feed.xml`, '--json')
    assert.match(polled.out, /"trigger": ?"manual"/)
  })

  test('add says how many older entries it left out, and how to include them', async () => {
    await using origin = await startOrigin()
    using shell = openShell()
    origin.route('/feed.xml', { body: rss([{ title: 'Yesterday', guid: 'a', publishedAt: Date.now() - 86_400_000 }]) })
    const bare = await shell.tidings('add', `${origin.url}/feed.xml`, '--backfill', '0')
    assert.match(
      bare.out,
      /0 new, \d+ ms\n1 older entry left out\.\nTo include more of them: tidings edit URL --backfill DAYS\n$/,
    )
    await shell.tidings('remove', `${origin.url}/feed.xml`)
    const filled = await shell.tidings('add', `${origin.url}/feed.xml`)
    assert.match(filled.out, /1 new, \d+ ms\n$/)
  })

  test('add lists the other feeds of a page, one per line; --json has them too', async () => {
    await using origin = await startOrigin()
    using shell = openShell()
    const link = (path: string, title = '') =>
      `<link rel="alternate" type="application/rss+xml" href="${path}" title="${title}">`
    const links = link('/rss', 'All') + link('/gone', 'Gone') + link('/bees', 'Bees \u202e') + link('/wasps')
    origin.route('/', { contentType: 'text/html', body: `<html><head>${links}</head></html>` })
    for (const path of ['/rss', '/bees', '/wasps']) origin.route(path, { body: rss([{ title: path }]) })
    const added = await shell.tidings('add', `${origin.url}/`)
    assert.equal(added.code, 0, added.err)
    const [first, ...others] = added.err.trimEnd().split('\n')
    assert.equal(first, `Found ${origin.url}/rss (rss) behind ${origin.url}/`)
    assert.deepEqual(others, [
      'Other feeds of that page, which can be added instead:',
      `  ${origin.url}/gone  Gone`,
      `  ${origin.url}/bees  Bees \\u202e`,
      `  ${origin.url}/wasps`,
    ])
    assert.match(added.out, /^Added as \S+\nok /)

    const bees = (await shell.tidings('add', `${origin.url}/bees`, '--json')).json<Record<string, unknown>>()
    assert.deepEqual([Object.keys(bees), bees.discovery], [['source', 'poll', 'discovery'], null])
    await shell.tidings('remove', `${origin.url}/rss`)
    const again = (await shell.tidings('add', `${origin.url}/`, '--json')).json<{ discovery: { feeds: unknown[] } }>()
    assert.deepEqual(again.discovery.feeds[0], { url: `${origin.url}/rss`, title: 'All' })
    assert.equal(again.discovery.feeds.length, 4)
  })

  test('add refuses an address that is no source, and says why', async () => {
    await using origin = await startOrigin()
    using shell = openShell()
    const gone = await shell.tidings('add', `${origin.url}/gone`)
    assert.equal(gone.code, 1)
    assert.match(gone.err, /404/)
    const wrong = await shell.tidings('add', 'ftp://example.org/')
    assert.equal(wrong.code, 2)
    assert.match(wrong.err, /url: /)
    assert.equal((await shell.tidings('add', 'https://example.org/', '--type', 'gopher')).code, 2)
    assert.equal((await shell.tidings('add', 'https://example.org/', '--interval', 'often')).code, 2)
    assert.deepEqual((await shell.tidings('list', '--json')).json(), { items: [], nextCursor: null })
  })

  test('poll takes URLs, --due or --all, exits with 1 if one failed, and reports unknown sources', async () => {
    await using origin = await startOrigin()
    using shell = openShell()
    origin.route('/good', { body: rss([{ title: 'One', guid: '1', publishedAt: Date.now() }]) })
    writeFileSync(join(shell.folder, 'list.txt'), `${origin.url}/good\n${origin.url}/bad\n`)
    assert.equal((await shell.tidings('import', join(shell.folder, 'list.txt'))).code, 0)
    assert.deepEqual(origin.requests, [])

    const good = await shell.tidings('poll', `${origin.url}/good`)
    assert.deepEqual([good.code, good.err], [0, ''])
    assert.match(good.out, /^ok {6}\S+\/good {2}.*\n1 ok, 0 failed; \d new posts\n$/)
    const due = await shell.tidings('poll', '--due')
    assert.equal(due.code, 1)
    assert.match(due.out, /^FAILED {2}\S+\/bad {2}permanent: .*404.*\n0 ok, 1 failed; 0 new posts\n$/)
    const all = (await shell.tidings('poll', '--all', '--json')).json<
      Items<{ url: string; poll: { outcome: string } }>
    >()
    assert.deepEqual(all.items.map(({ url, poll }) => [url, poll.outcome]).sort(), [
      [`${origin.url}/bad`, 'permanent'],
      [`${origin.url}/good`, 'success'],
    ])
    assert.match((await shell.tidings('list')).out, /failing 2x/)

    const nothing = await shell.tidings('poll')
    assert.deepEqual([nothing.code, nothing.err.startsWith('Say what to poll: ')], [2, true])
    for (const args of [
      ['--all', '--due'],
      ['x', '--due'],
      ['x', '--all'],
    ]) {
      const { code, err } = await shell.tidings('poll', ...args)
      const words = 'Ids or URLs, --due and --all exclude each other: give one of the three.\n'
      assert.deepEqual([code, err], [2, words], args.join(' '))
    }
    const unknown = await shell.tidings('poll', 'https://nowhere.example/')
    assert.equal(unknown.code, 1)
    assert.match(unknown.err, /There is no source https:\/\/nowhere\.example\//)
  })

  test('a host that sent Retry-After is not asked: the poll is reported as later, which is no failure', async () => {
    await using origin = await startOrigin()
    origin.route('/feed', { status: 429, headers: { 'retry-after': '3600' } })
    using shell = openShell()
    await shell.tidingsWith(`${origin.url}/feed\n`, 'import', '-')
    assert.match((await shell.tidings('poll', '--all')).out, /^FAILED .*429/)
    const later = await shell.tidings('poll', '--all')
    assert.equal(later.code, 0)
    assert.match(later.out, /^later {3}\S+\/feed {2}20\S+Z: .*\n0 ok, 0 failed, 1 later; 0 new posts\n$/)
    assert.equal(origin.requests.length, 1)
  })

  test('if a host is closed, add and preview say until when and what to do; add can skip the test', async () => {
    await using origin = await startOrigin()
    origin.route('/feed', { status: 429, headers: { 'retry-after': '3600' } })
    using shell = openShell()
    await shell.tidingsWith(`${origin.url}/feed\n`, 'import', '-')
    await shell.tidings('poll', '--all')
    const other = `${origin.url}/other`
    const refused = await shell.tidings('add', other)
    assert.equal(refused.code, 1)
    assert.match(
      refused.err,
      /^127\.0\.0\.1 cannot be asked before \S+Z\. Try again then, or add it untested with --type and --no-validate\.\n$/,
    )
    const preview = await shell.tidings('preview', other)
    assert.match(preview.err, /cannot be asked before \S+Z\. Try again then\.\n$/)
    assert.equal((await shell.tidings('add', other, '--no-validate')).code, 2)
    const untested = await shell.tidings('add', other, '--type', 'rss', '--no-validate')
    assert.equal(untested.code, 0, untested.err)
    assert.match(untested.out, /^Added as \S+\nlater {3}/)
    assert.equal(origin.requests.length, 1)
  })

  test('a terminal shows progress while polling and removes it afterwards; elsewhere there is none', async () => {
    await using origin = await startOrigin()
    let shown = ''
    using shell = openShell({ stderr: { isTTY: true, write: (text) => (shown += text) } })
    await shell.tidingsWith(`${origin.url}/a\n${origin.url}/b\n`, 'import', '-')
    await shell.tidings('poll', '--all')
    // Gone also while the line of a poll is printed.
    const steps = ['0 of 2 polled', '', '1 of 2 polled, 1 failed', '', '2 of 2 polled, 2 failed', '']
    assert.equal(shown, steps.map((step) => `\r\u001b[K${step}`).join(''))
  })

  test('each poll is printed when it ends, not when all have ended', async () => {
    await using origin = await startOrigin()
    using importing = openShell()
    await importing.tidingsWith(`${origin.url}/a\n${origin.url}/b\n`, 'import', '-')
    const written: string[] = []
    const asked: number[] = []
    for (const path of ['/a', '/b']) {
      origin.route(path, (_request, response) => {
        asked.push(written.length)
        response.writeHead(404).end()
      })
    }
    using shell = openShell({ stdout: { write: (text) => written.push(text) } })
    await shell.tidings('poll', '--all', '--data', importing.folder)
    assert.deepEqual(asked, [0, 1])
    assert.equal(written.length, 3)
    assert.match(written.join(''), /^FAILED .*\nFAILED .*\n0 ok, 2 failed; 0 new posts\n$/)
  })

  test('Ctrl-C ends a poll that waits for a hanging host', async () => {
    await using origin = await startOrigin()
    const ending = new AbortController()
    origin.route('/hangs', () => ending.abort())
    using shell = openShell()
    await shell.tidingsWith(`${origin.url}/hangs\n`, 'import', '-')
    using interrupted = openShell({ ending: ending.signal })
    const { code, out, err } = await interrupted.tidings('poll', '--all', '--data', shell.folder)
    assert.deepEqual([code, out, err], [130, '0 ok, 0 failed; 0 new posts\n', 'Interrupted: 0 of 1 polled.\n'])
  })

  test('disable, enable and remove take ids and URLs, and one wrong name changes nothing', async () => {
    using shell = openShell()
    const url = 'https://a.example/feed'
    await shell.tidingsWith(`${url}\nhttps://b.example/feed\n`, 'import', '-')
    const slip = await shell.tidings('disable', url, 'https://c.example/')
    assert.equal(slip.code, 1)
    const health = async () => {
      const { items } = (await shell.tidings('list', '--json')).json<Items>()
      return items.map((each) => [each.url, each.enabled])
    }
    assert.deepEqual(await health(), [
      [url, true],
      ['https://b.example/feed', true],
    ])
    assert.match((await shell.tidings('disable', `${url}#top`)).out, /a\.example\/feed is disabled/)
    assert.match(
      (await shell.tidings('list', '--health', 'disabled')).out,
      /^HEALTH.*\ndisabled +rss +https:\/\/a\.example\/feed .*\n$/,
    )
    assert.match((await shell.tidings('enable', url)).out, /is enabled/)
    assert.match((await shell.tidings('list', '--host', 'a.example')).out, / never +due *\n$/)
    assert.match((await shell.tidings('remove', url)).out, /is removed/)
    assert.deepEqual(await health(), [['https://b.example/feed', true]])
  })

  test('enable does not change an enabled source, and says when it is planned', async () => {
    await using origin = await startOrigin()
    using shell = openShell()
    const url = `${origin.url}/gone`
    await shell.tidingsWith(`${url}\n`, 'import', '-')
    assert.match((await shell.tidings('enable', url)).out, /was enabled already; (due|planned|its first poll)/)
    await shell.tidings('poll', url)
    const again = await shell.tidings('enable', url)
    assert.match(again.out, /\/gone was enabled already; failing 1x, planned 20\S+Z\n$/)
    await shell.tidings('disable', url)
    assert.match((await shell.tidings('enable', url)).out, /\/gone is enabled and due\n$/)
  })

  test('import reads what export writes; credentials are exported only with --secrets', async () => {
    using shell = openShell()
    using other = openShell()
    await shell.tidingsWith('https://me:pw@a.example/feed\nhttps://b.example/feed\n', 'import', '-')
    for (const format of ['opml', 'json']) {
      const plain = await shell.tidings('export', '--format', format)
      assert.match(plain.out, /b\.example/)
      assert.doesNotMatch(plain.out, /me:pw/)
      assert.match((await shell.tidings('export', '--format', format, '--secrets')).out, /me:pw@a\.example/)
    }
    const { out } = await shell.tidings('export')
    assert.match((await other.tidingsWith(out, 'import', '-')).out, /^2 added, 0 were there already, 0 failed\n$/)
    assert.match((await other.tidingsWith(out, 'import', '-')).out, /^0 added, 2 were there already/)
    const partly = await other.tidingsWith('https://c.example/\nmailto:x\n', 'import', '-')
    assert.equal(partly.code, 1)
    assert.match(partly.out, /1 added, 0 were there already, 1 failed\n {2}mailto:x: /)
    assert.match((await other.tidings('import', 'nowhere.opml')).err, /Cannot read nowhere\.opml/)
  })

  test('import refuses OPML that is cut off, and tells of an outline without an address', async () => {
    using shell = openShell()
    const [head, good] = ['<opml><body>', '<outline xmlUrl="https://a.example/"/>']
    for (const tail of ['<outline xmlUrl="http://e.org/z"', '<outline xmlUrl="http://e.org/z"/>', '</body>']) {
      const cut = await shell.tidingsWith(`${head}${good}${tail}`, 'import', '-')
      assert.deepEqual([cut.code, cut.out], [2, ''])
      assert.match(cut.err, /^The list is not valid OPML: .* of line 1 is (cut off|never closed)\.\n$/)
    }
    assert.match((await shell.tidings('list')).out, /^No sources/)
    const partly = await shell.tidingsWith(`${head}<outline xmlUrl=""/>${good}</body></opml>`, 'import', '-')
    assert.equal(partly.code, 1)
    assert.match(partly.out, /^1 added, 0 were there already, 1 failed\n {2}\(no address\): url: expected/)
    const empty = await shell.tidingsWith(`${head}</body></opml>`, 'import', '-')
    assert.deepEqual([empty.code, empty.out], [0, '0 added, 0 were there already, 0 failed\n'])
  })

  test('what is configured to be served is not asked by those who do not serve either', async () => {
    await using origin = await startOrigin()
    origin.route('/feed', { body: rss([{ title: 'One' }]) })
    using shell = openShell()
    assert.equal((await shell.tidings('preview', `${origin.url}/feed`)).code, 0)
    shell.env.APP_SERVER_PORT = new URL(origin.url).port
    const refused = await shell.tidings('preview', `${origin.url}/feed`)
    assert.equal(refused.code, 1)
    assert.match(refused.err, /Nothing usable at .*listens/)
    assert.equal(origin.requests.length, 1)
  })

  test('preview shows what a poll would store, and stores nothing', async () => {
    await using origin = await startOrigin()
    using shell = openShell()
    origin.route('/feed', { body: rss([{ title: 'Old', guid: 'o', publishedAt: 0 }]) })
    const { code, out, err } = await shell.tidings('preview', `${origin.url}/feed`)
    assert.equal(code, 0, err)
    assert.match(out, /^.+ \(rss\)\n/)
    assert.match(out, /Old/)
    assert.match((await shell.tidings('list')).out, /^No sources yet\./)
  })
})

describe('people', () => {
  test('a name is taken once, and a podcast’s name that several users have is nobody’s', async () => {
    using shell = openShell()
    const { id: anna } = (await shell.tidings('user', 'create', 'Anna', '--json')).json()
    const again = await shell.tidings('user', 'create', 'Anna')
    assert.deepEqual([again.code, again.out], [1, ''])
    assert.match(again.err, /^There is a user called Anna already\. Choose another name\.\n/)
    const ids: string[] = []
    {
      await using tidings = await createTidings({
        config: { database: { url: `file:${join(shell.folder, 'tidings.db')}` } },
      })
      for (const userId of ['default', String(anna)])
        ids.push((await tidings.catalogue.podcasts.create(userId, { name: 'News' })).id)
    }
    const added = await shell.tidings('add', '@name', '--type', 'twitter', '--podcast', 'News')
    assert.equal(added.code, 1)
    assert.equal(added.err.trim(), `2 podcasts are called News; give one of their ids: ${ids.join(', ')}`)
  })

  test('users are created, listed, renamed and removed by id or name', async () => {
    using shell = openShell()
    const { id } = (await shell.tidings('user', 'create', 'Anna', '--json')).json()
    assert.match((await shell.tidings('user', 'list')).out, new RegExp(`default +Default.*\\n${id} +Anna`))
    assert.match((await shell.tidings('user', 'rename', 'Anna', 'Berta')).out, /is now called Berta/)
    assert.equal((await shell.tidings('user', 'remove', 'Berta')).code, 0)
    const again = await shell.tidings('user', 'remove', 'Berta')
    assert.equal(again.code, 1)
    assert.match(again.err, /There is no user Berta/)
    assert.equal((await shell.tidings('user', 'remove', 'default')).code, 1)
  })

  test('a token is printed alone on stdout, listed without itself, and revoked', async () => {
    using shell = openShell()
    const made = await shell.tidings('token', 'create', '--user', 'default', '--admin', '--name', 'mine')
    assert.match(made.out, /^\S{20,}\n$/)
    assert.match(made.err, /not shown again/)
    const listed = await shell.tidings('token', 'list', '--json')
    assert.ok(!listed.out.includes(made.out.trim()))
    const [token] = listed.json<Items>().items
    assert.deepEqual([token?.name, token?.admin], ['mine', true])
    assert.equal((await shell.tidings('token', 'revoke', String(token?.id))).code, 0)
    assert.match((await shell.tidings('token', 'list')).out, /^No tokens\./)
  })

  test('a key is read from stdin, is never shown, and is encrypted under a new master key by rotate', async () => {
    using shell = openShell()
    assert.match((await shell.tidings('key', 'status', 'x')).out, /is not set/)
    const set = await shell.tidingsWith('s3cret-key\n', 'key', 'set', 'x')
    assert.deepEqual([set.code, set.out], [0, 'The x key of default is stored\n'])
    assert.match((await shell.tidings('key', 'status', 'x')).out, /is set, last changed/)
    assert.equal((await shell.tidingsWith('', 'key', 'set', 'x')).code, 2)
    assert.ok(!readFileSync(join(shell.folder, 'tidings.db')).includes('s3cret-key'))

    const before = readFileSync(join(shell.folder, 'master.key'), 'utf8')
    const rotated = await shell.tidings('key', 'rotate')
    assert.deepEqual([rotated.code, rotated.out], [0, '1 secrets are now under the new key\n'], rotated.err)
    assert.notEqual(readFileSync(join(shell.folder, 'master.key'), 'utf8'), before)
    assert.match((await shell.tidings('key', 'status', 'x')).out, /is set/)
    assert.equal((await shell.tidings('key', 'remove', 'x')).code, 0)
    assert.match((await shell.tidings('key', 'status', 'x')).out, /is not set/)
  })

  test('with a token of somebody else than the default user, their own tokens and keys are meant', async () => {
    await using api = await startApi({ config: { server: { auth: 'required' } } })
    const { id } = await api.catalogue.users.create({ name: 'Anna' })
    using shell = openShell()
    shell.env.TIDINGS_TOKEN = (await api.catalogue.tokens.create(id, { name: 'hers' })).token
    const server = ['--server', api.url]
    const made = await shell.tidings('token', 'create', '--name', 'second', ...server)
    assert.equal(made.code, 0, made.err)
    const tokens = (await shell.tidings('token', 'list', '--json', ...server)).json<Items>().items
    assert.deepEqual(tokens.map(({ name }) => name).sort(), ['hers', 'second'])
    assert.equal((await shell.tidingsWith('s3cret-key', 'key', 'set', 'x', ...server)).code, 0)
    assert.match((await shell.tidings('key', 'status', 'x', ...server)).out, /is set/)
    assert.deepEqual([await isSet(api, id), await isSet(api, 'default')], [true, false])
    const other = await shell.tidings('key', 'status', 'x', '--user', 'default', ...server)
    assert.deepEqual([other.code, /There is no user default/.test(other.err)], [1, true])

    shell.env.TIDINGS_TOKEN = (await api.catalogue.tokens.create(id, { name: 'all', admin: true })).token
    assert.match((await shell.tidings('key', 'status', 'x', ...server)).out, /^The x key of default is not set/)
  })

  test('without a token the server refuses, and the message says where to put one', async () => {
    await using api = await startApi({ config: { server: { auth: 'required' } } })
    using shell = openShell()
    const { code, err } = await shell.tidings('list', '--server', api.url)
    assert.equal(code, 1)
    assert.match(err, /^Send a token in the header "Authorization: Bearer <token>"\.\nPut a token into TIDINGS_TOKEN/)
  })

  test('rotate replaces a configured master key by the one on stdin', async () => {
    using shell = openShell()
    const next = (await shell.tidings('key', 'generate')).out.trim()
    assert.equal(Buffer.from(next, 'base64').length, 32)
    shell.env.APP_ENCRYPTION_MASTER_KEY = randomBytes(32).toString('base64')
    await shell.tidingsWith('s3cret-key', 'key', 'set', 'x')
    assert.equal((await shell.tidingsWith('short', 'key', 'rotate')).code, 2)
    assert.match(
      (await shell.tidingsWith('', 'key', 'rotate')).err,
      /Standard input is empty\. .*tidings key rotate < new\.key/,
    )
    assert.match((await shell.tidingsWith(next, 'key', 'rotate')).out, /^1 secrets are now/)
    // Already there: nothing is left to do under the new key.
    shell.env.APP_ENCRYPTION_MASTER_KEY = next
    assert.match((await shell.tidingsWith(next, 'key', 'rotate')).out, /^0 secrets are now/)
    assert.ok(!existsSync(join(shell.folder, 'master.key')))
  })
})

describe('the machine', () => {
  test('status, hosts and doctor answer on a fresh store', async () => {
    using shell = openShell()
    const status = await shell.tidings('status')
    assert.match(status.out, /^Answered by the local store\n/)
    assert.match(status.out, /totals sources +0\n/)
    assert.match((await shell.tidings('hosts')).out, /^No hosts yet/)
    const doctor = await shell.tidings('doctor')
    assert.equal(doctor.code, 0, doctor.out)
    for (const check of ['runtime', 'configuration', 'database', 'migrations', 'secrets', 'clock', 'names', 'disk']) {
      assert.match(doctor.out, new RegExp(`^ok {3}${check} `, 'm'))
    }
  })

  test('doctor has a remedy for a damaged store, a bad configuration key, and a clock that is not set', async () => {
    using shell = openShell({ now: () => Date.UTC(1970, 0, 2) })
    const clock = await shell.tidings('doctor')
    assert.equal(clock.code, 1)
    assert.match(clock.out, /^BAD {2}clock .*\n +-> The clock is not set/m)
    writeFileSync(join(shell.folder, 'tidings.db'), 'this is no database, whatever its name says'.repeat(50))
    const store = await shell.tidings('doctor')
    assert.equal(store.code, 1)
    assert.match(store.out, /^BAD {2}database .*\n +-> Put a backup in its place/m)
    shell.env.APP_LOG_LEVEL = 'loud'
    const config = await shell.tidings('doctor')
    assert.match(config.out, /^BAD {2}configuration +app\.log\.level: expected one of/m)
  })

  test('backup makes a complete copy, readable by its owner only, and never replaces a file', async () => {
    using shell = openShell()
    await shell.tidingsWith('https://a.example/feed\n', 'import', '-')
    const file = join(shell.folder, 'copy.db')
    const made = await shell.tidings('backup', file)
    assert.equal(made.code, 0, made.err)
    if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600)
    const copy = new DatabaseSync(file, { readOnly: true })
    assert.equal(copy.prepare('SELECT url FROM sources').get()?.url, 'https://a.example/feed')
    copy.close()
    const again = await shell.tidings('backup', file)
    assert.equal(again.code, 1)
    assert.match(again.err, /exists already/)
    assert.match((await shell.tidings('backup', 'x', '--database', 'postgres://h/d')).err, /pg_dump/)
    assert.match((await shell.tidings('backup', 'x', '--data', join(shell.folder, 'none'))).err, /There is no store/)
  })

  test('commands that work on the store itself refuse --server in any position', async () => {
    using shell = openShell()
    const server = ['--server', 'http://127.0.0.1:1']
    for (const [args, words] of [
      [['backup', 'x.db', ...server], /^backup takes no --server: it works on the store itself, /],
      [
        ['config', ...server],
        /^config takes no --server: it shows the configuration of a tidings that is started here\.\n$/,
      ],
      [[...server, 'config'], /^config takes no --server: /],
    ] as const) {
      const { code, out, err } = await shell.tidings(...args)
      assert.deepEqual([code, out], [2, ''], args.join(' '))
      assert.match(err, words)
    }
  })

  test('config shows every value and where it comes from, and no secret', async () => {
    using shell = openShell()
    const key = randomBytes(32).toString('base64')
    writeFileSync(
      join(shell.folder, 'tidings.yaml'),
      `app: { encryption: { master-key: "${key}" }, source: { max-failures: 7 } }`,
    )
    shell.env.APP_HTTP_PROXY = 'http://me:pw@proxy:3128'
    const { code, out } = await shell.tidings('config')
    assert.equal(code, 0)
    assert.match(out, /^app\.encryption\.master-key +\*\*\* +tidings\.yaml$/m)
    assert.match(out, /^app\.source\.max-failures +7 +tidings\.yaml$/m)
    assert.match(out, /^app\.http\.proxy +http:\/\/\*\*\*@proxy:3128 +env APP_HTTP_PROXY$/m)
    assert.match(out, /^app\.source\.host-overrides\.nitter\.net\.poll-delay-seconds +3 +default$/m)
    assert.match(out, /^app\.database\.url +file:.* +--data$/m)
    assert.ok(!out.includes(key) && !out.includes('me:pw'))
    const { items } = (await shell.tidings('config', '--json')).json<Items>()
    assert.deepEqual(
      items.find((item) => item.key === 'app.server.port'),
      {
        key: 'app.server.port',
        value: 8085,
        from: 'default',
      },
    )
  })
})

describe('usage', () => {
  test('help and version exit with 0; every command has help and is in docs/cli.md', async () => {
    using shell = openShell()
    const help = await shell.tidings('--help')
    assert.equal(help.code, 0)
    assert.match(help.out, /First steps:/)
    assert.deepEqual([(await shell.tidings('--version')).out, (await shell.tidings('--version')).code], ['1.2.3\n', 0])
    const names = [...help.out.matchAll(/^ {2}([a-z]+) .*/gm)]
      .map(([, name = '']) => name)
      .filter((name) => name !== 'tidings')
    assert.ok(names.length >= 19, names.join(' '))
    const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')
    for (const name of names.filter((each) => each !== 'help')) {
      assert.ok(page.includes(`tidings ${name}`), `docs/cli.md says nothing of ${name}`)
      const { code, out } = await shell.tidings(name, '--help')
      assert.equal(code, 0, name)
      assert.match(out, new RegExp(`^Usage: tidings ${name} `), name)
    }
  })

  test('every form of asking for help exits with 0 and prints to stdout', async () => {
    using shell = openShell()
    for (const [args, usage] of [
      [['help'], 'tidings '],
      [['help', 'list'], 'tidings list '],
      [['user', 'help'], 'tidings user '],
      [['user', 'help', 'create'], 'tidings user create '],
    ] as const) {
      const { code, out, err } = await shell.tidings(...args)
      assert.deepEqual([code, err], [0, ''], args.join(' '))
      assert.ok(out.startsWith(`Usage: ${usage}`), args.join(' '))
    }
  })

  test('an unknown command or option exits with 2, with a message on stderr and nothing on stdout', async () => {
    using shell = openShell()
    const cases = [['lst'], ['list', '--wibble'], ['why'], ['user'], ['user', 'wibble'], ['posts', '--limit', 'x']]
    for (const args of cases) {
      const { code, out, err } = await shell.tidings(...args)
      assert.deepEqual([code, out], [2, ''], args.join(' '))
      assert.notEqual(err, '', args.join(' '))
    }
    assert.match((await shell.tidings('lst')).err, /Did you mean list\?/)
  })

  test('an error of the API is printed once, with what was expected', async () => {
    using shell = openShell()
    const blank = await shell.tidings('podcast', 'create', ' ')
    assert.deepEqual([blank.code, blank.out], [2, ''])
    assert.equal(blank.err, `name: expected a name that is not blank, got ""\n`)
  })

  test('a bad configuration exits with 2 and names every problem', async () => {
    using shell = openShell()
    writeFileSync(join(shell.folder, 'tidings.yaml'), 'app: { source: { max-failures: many, wibble: 1 } }')
    const { code, err } = await shell.tidings('list')
    assert.equal(code, 2)
    assert.equal(
      err,
      'The configuration has 2 problems:\n  app.source.wibble: unknown key (tidings.yaml:1)\n  app.source.max-failures: expected a whole number of at least 1, got "many" (tidings.yaml:1)\n',
    )
  })

  test('serve on an address of another machine fails, and the message names the option and the key', async () => {
    using shell = openShell()
    for (const [host, words] of [
      [
        'nosuchhost.invalid',
        /^The name nosuchhost\.invalid has no address \(E\w+\)\. .*--host \(app\.server\.host\)\.\n$/,
      ],
      ['192.0.2.1', /^192\.0\.2\.1 is not an address of this machine\. .*--host \(app\.server\.host\)\.\n$/],
    ] as const) {
      const { code, out, err } = await shell.tidings('serve', '--host', host, '--port', '0')
      assert.deepEqual([code, out], [1, ''], host)
      assert.match(err, words)
    }
  })

  test('a server that does not run is reported in a sentence', async () => {
    using shell = openShell()
    const gone = await startOrigin()
    const { port } = gone
    await gone.close()
    const { code, err } = await shell.tidings('list', '--server', `http://127.0.0.1:${port}`)
    assert.deepEqual([code, err], [1, `Cannot reach http://127.0.0.1:${port}: nothing listens there\n`])
    assert.equal((await shell.tidings('list', '--server', 'wibble')).code, 2)
  })
})
