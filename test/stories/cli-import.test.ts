// Lists of sources as people have them: long ones, and those that other readers export.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openShell, type Shell } from '../support/run-cli.ts'

interface Listed {
  readonly url: string
  readonly label: string | null
  readonly folder: string | null
  readonly type: string
}

async function sourcesOf(shell: Shell): Promise<(string | null)[][]> {
  const { sources } = JSON.parse((await shell.tidings('export', '--format', 'json')).out) as { sources: Listed[] }
  return sources.map(({ url, label, folder }) => [url, label, folder]).toSorted()
}

test('a list of thousands is imported with progress, and every failure can be corrected and imported', async () => {
  let screen = ''
  const stderr = { write: (text: string) => (screen += text), isTTY: true, columns: 80 }
  using shell = openShell({ stderr })
  const good = Array.from({ length: 1500 }, (_, n) => `https://h${n}.example/feed`)
  const bad = Array.from({ length: 250 }, (_, n) => `ftp://h${n}.example/feed`)
  writeFileSync(join(shell.folder, 'list.txt'), [...good, ...bad, good[0]].join('\n'))
  const first = await shell.tidings('import', 'list.txt', '--failed', 'failed.txt', '--json')
  assert.equal(first.code, 1)
  const { added, skipped, failed } = first.json<{ added: number; skipped: number; failed: unknown[] }>()
  assert.deepEqual([added, skipped, failed.length], [1500, 1, 250])
  const left = readFileSync(join(shell.folder, 'failed.txt'), 'utf8')
  assert.deepEqual(left.trim().split('\n'), bad)

  writeFileSync(join(shell.folder, 'mended.txt'), left.replaceAll('ftp://', 'https://mended.'))
  const second = await shell.tidings('import', 'mended.txt')
  assert.deepEqual([second.code, second.out], [0, '250 added, 0 were there already, 0 failed\n'])
  // Which steps are seen depends on how fast the machine is.
  const told = Array.from(screen.matchAll(/(\d+) of 250 sources read/g), ([, read]) => Number(read))
  assert.ok(
    told.some((read) => read > 0 && read < 250),
    screen,
  )
  assert.deepEqual(
    told,
    told.toSorted((a, b) => a - b),
  )
})

const FEED = 'https://example.org/feed.xml'

// Written by us in the shape that each of these programs exports.
const EXPORTS: Readonly<Record<string, readonly [opml: string, expected: (string | null)[][]]>> = {
  Miniflux: [
    `<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
    <head><title>Miniflux</title><dateCreated>Mon, 16 Nov 2026 10:00:00 UTC</dateCreated></head>
    <body>
        <outline text="Tech">
            <outline title="Example" text="Example" xmlUrl="${FEED}" htmlUrl="https://example.org/" description="" type="rss" version="RSS"></outline>
        </outline>
    </body>
</opml>`,
    [[FEED, 'Example', 'Tech']],
  ],
  FreshRSS: [
    `<?xml version="1.0" encoding="UTF-8"?>
<opml xmlns:frss="https://freshrss.org/opml" version="2.0">
  <head><title>FreshRSS</title></head>
  <body>
    <outline text="News &amp; Co" frss:opmlUrl="">
      <outline text="Example" type="rss" xmlUrl="${FEED}" htmlUrl="https://example.org/" description="What is new" frss:priority="main"/>
      <outline text="Page" type="HTML+XPath" xmlUrl="https://example.org/page" frss:xPathItem="//article"/>
    </outline>
  </body>
</opml>`,
    [
      [FEED, 'Example', 'News & Co'],
      ['https://example.org/page', 'Page', 'News & Co'],
    ],
  ],
  Feedbin: [
    `<?xml version="1.0" encoding="UTF-8"?>
<opml version="1.0">
  <head><title>RSS subscriptions for me@example.org</title><dateCreated>Mon, 16 Nov 2026 10:00:00 +0000</dateCreated></head>
  <body>
    <outline text="Cooking" title="Cooking">
      <outline text="Example" title="Example" type="rss" xmlUrl="${FEED}" htmlUrl="https://example.org/"/>
    </outline>
    <outline text="Alone" title="Alone" type="rss" xmlUrl="https://example.org/alone" htmlUrl="https://example.org/"/>
  </body>
</opml>`,
    [
      ['https://example.org/alone', 'Alone', null],
      [FEED, 'Example', 'Cooking'],
    ],
  ],
  NewsBlur: [
    `<?xml version='1.0' encoding='utf-8'?>
<opml version="1.1"><head><title>NewsBlur Feeds</title><dateCreated>2026-11-16 10:00:00</dateCreated></head>
<body><outline text="Top" title="Top"><outline text="Inner" title="Inner"><outline htmlUrl="https://example.org/" text="Example" title="Example" type="rss" version="RSS" xmlUrl="${FEED}" /></outline></outline>
</body></opml>`,
    [[FEED, 'Example', 'Top/Inner']],
  ],
  Inoreader: [
    `<?xml version="1.0" encoding="UTF-8"?>
<opml version="1.0">
    <head><title>Subscriptions from Inoreader [https://www.inoreader.com]</title></head>
    <body>
        <outline text="A/B" title="A/B">
            <outline text="Example" title="Example" type="rss" xmlUrl="${FEED}" htmlUrl="https://example.org/"/>
        </outline>
        <outline text="" title="" type="rss" xmlUrl="https://example.org/nameless"/>
    </body>
</opml>`,
    [
      [FEED, 'Example', 'A\\/B'],
      ['https://example.org/nameless', null, null],
    ],
  ],
  'a flat list with categories': [
    `<opml version="2.0"><body>
      <outline text="Example" xmlUrl="${FEED}" category="/Science/Sea,/Other"/>
      <outline title="" text="Plain" xmlUrl="https://example.org/plain" category="News"/>
    </body></opml>`,
    [
      [FEED, 'Example', 'Science/Sea'],
      ['https://example.org/plain', 'Plain', 'News'],
    ],
  ],
}

for (const [program, [opml, expected]] of Object.entries(EXPORTS)) {
  test(`the OPML of ${program} is imported with names and folders`, async () => {
    using shell = openShell()
    const imported = await shell.tidingsWith(opml, 'import', '-')
    assert.deepEqual([imported.code, imported.err], [0, ''], imported.out)
    assert.deepEqual(await sourcesOf(shell), expected.toSorted())
  })
}

test('an outline with a web page but no feed is named with what to do; a folder that has a page is a folder', async () => {
  using shell = openShell()
  const opml = `<opml version="2.0"><body>
    <outline htmlUrl="https://example.org/nothing" text="No feed" type="rss"/>
    <outline text="Link" type="link" url="https://example.org/link"/>
    <outline text="Folder" htmlUrl="https://example.org/folder"><outline text="Example" xmlUrl="${FEED}"/></outline>
    <outline text="Only words"/>
  </body></opml>`
  const imported = await shell.tidingsWith(opml, 'import', '-')
  assert.equal(imported.code, 1)
  assert.match(imported.out, /^1 added, 0 were there already, 2 failed$/m)
  assert.match(imported.out, /example\.org\/nothing: "No feed" has the address of a web page .* tidings add/)
  assert.match(imported.out, /example\.org\/link: "Link" has the address/)
  assert.deepEqual(await sourcesOf(shell), [[FEED, 'Example', 'Folder']])
})
