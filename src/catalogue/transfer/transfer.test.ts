import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tempCatalogue } from '../../../test/support/catalogue.ts'
import { Problem } from '../../domain/problem.ts'

const bytes = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding)
const SECRET = 'https://me:hush@a.example'
const OPML = `<?xml version="1.0" encoding="UTF-8"?>
<opml version="1.0"><head><title>Mine</title></head><body>
  <outline text="Folder"><outline title="News &amp; more" type="rss" XMLURL="https://example.org/feed?a=1&amp;b=2"/>
    <outline text="Deep"><outline text="Blog" xmlUrl=" https://blog.example/atom.xml " htmlUrl="https://blog.example"/></outline>
  </outline>
  <outline text="Channel" xmlUrl="https://www.youtube.com/feeds/videos.xml?channel_id=UC1"/>
  <outline text="Only a page" htmlUrl="https://page.example"/>
  <outline text="Bad" xmlUrl="ftp://me:hush@bad.example/feed"/>
  <outline text="Again" xmlUrl="https://blog.example/atom.xml"/>
</body></opml>`

describe('importing lists', () => {
  it('OPML in folders gives one source per feed; a bad one is told, a known one skipped, nothing is fetched', async () => {
    await using catalogue = await tempCatalogue()
    const told = await catalogue.sources.importList('default', { bytes: bytes(OPML), contentType: 'text/xml' })
    assert.equal(told.added, 3)
    assert.equal(told.skipped, 1)
    assert.deepEqual(
      told.failed.map(({ url }) => url),
      ['https://page.example', 'ftp://***@bad.example/feed'],
    )
    assert.match(told.failed[0]?.reason ?? '', /^"Only a page" has the address of a web page .* no feed/)
    assert.match(told.failed[1]?.reason ?? '', /expected an http or https URL/)
    const { items } = await catalogue.sources.list('default')
    assert.deepEqual(
      items.map(({ type, url, label }) => ({ type, url, label })).toSorted((a, b) => a.url.localeCompare(b.url)),
      [
        { type: 'rss', url: 'https://blog.example/atom.xml', label: 'Blog' },
        { type: 'rss', url: 'https://example.org/feed?a=1&b=2', label: 'News & more' },
        { type: 'youtube', url: 'https://www.youtube.com/feeds/videos.xml?channel_id=UC1', label: 'Channel' },
      ],
    )
    assert.equal(catalogue.engine.tested.length, 0)
  })

  it('a text list has one address per line and comments', async () => {
    await using catalogue = await tempCatalogue()
    const text = '# mine\r\nhttps://a.example/feed\r\n\r\n  @name\nhttps://youtu.be/c\nnonsense here\n'
    const told = await catalogue.sources.importList('default', { bytes: bytes(text), contentType: 'text/plain' })
    assert.deepEqual([told.added, told.skipped, told.failed.map((row) => row.url)], [3, 0, ['nonsense here']])
    const types = (await catalogue.sources.list('default')).items.map((source) => source.type)
    assert.deepEqual(types.toSorted(), ['rss', 'twitter', 'youtube'])
  })

  it('a line with more than an address is told as failed: tags and names are no part of it', async () => {
    await using catalogue = await tempCatalogue()
    const text =
      'https://u:secret@a.example/feed "tag"\nhttps://b.example/1\thttps://b.example/2\nhttps://c.example/a%20b'
    const told = await catalogue.sources.importList('default', { bytes: bytes(text), contentType: 'text/plain' })
    assert.equal(told.added, 1)
    assert.ok(told.failed.every(({ reason }) => /one address on the line/.test(reason)))
    assert.doesNotMatch(JSON.stringify(told), /secret/)
    const urls = (await catalogue.sources.list('default')).items.map(({ url }) => url)
    assert.deepEqual(urls, ['https://c.example/a%20b'])
  })

  it('each JSON row is judged on its own, with its field', async () => {
    await using catalogue = await tempCatalogue()
    const rows = [
      { url: 'https://a.example/', pollIntervalMinutes: 5 },
      { url: 'https://b.example/', pollIntervalMinutes: 0 },
      { url: 'https://c.example/', colour: 'red' },
      'https://d.example/',
      7,
    ]
    const told = await catalogue.sources.importList('default', { bytes: bytes(JSON.stringify({ sources: rows })) })
    assert.equal(told.added, 2)
    const reasons = told.failed.map((row) => row.reason)
    assert.match(reasons[0] ?? '', /^pollIntervalMinutes: expected/)
    assert.match(reasons[1] ?? '', /^colour: unknown field/)
    assert.match(reasons[2] ?? '', /^url: expected/)
  })

  it('a file in another encoding is read as it declares itself, or else as it can be', async () => {
    await using catalogue = await tempCatalogue()
    const latin = OPML.replace('UTF-8', 'ISO-8859-1').replace('Blog', 'Bücher')
    await catalogue.sources.importList('default', { bytes: bytes(latin, 'latin1') })
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), bytes('https://wide.example/', 'utf16le')])
    await catalogue.sources.importList('default', { bytes: wide })
    const { items } = await catalogue.sources.list('default', { limit: 500 })
    assert.ok(items.some((source) => source.label === 'Bücher'))
    assert.ok(items.some((source) => source.url === 'https://wide.example/'))
    const undeclared = '[{"url": "https://undeclared.example/", "label": "Müller"}]'
    await catalogue.sources.importList('default', { bytes: bytes(undeclared, 'latin1') })
    const [found] = (await catalogue.sources.list('default', { q: 'undeclared' })).items
    assert.equal(found?.label, 'Müller')
  })

  it('what is no list at all is refused as a whole', async () => {
    await using catalogue = await tempCatalogue()
    for (const [text, contentType] of [
      ['<html><p>hi</p></html>', 'text/xml'],
      ['{"feeds": 1}', 'application/json'],
      ['{', 'application/json'],
    ] as const) {
      const importing = catalogue.sources.importList('default', { bytes: bytes(text), contentType })
      await assert.rejects(importing, (error) => error instanceof Problem && error.status === 400)
    }
  })

  it('an outline that is called by its own address has no label', async () => {
    const url = `${SECRET}/${'p'.repeat(300)}`
    const bare = url.replace('me:hush@', '')
    const names = [url, bare, url.slice(0, 200), bare.slice(0, 200), ` ${url.replace('https', 'HTTPS')} `]
    for (const name of names) {
      await using catalogue = await tempCatalogue()
      const outline = `<outline text="${name}" title="${name}" xmlUrl="${url}"/>`
      await catalogue.sources.importList('default', { bytes: bytes(`<opml><body>${outline}</body></opml>`) })
      assert.equal((await catalogue.sources.list('default')).items[0]?.label, null, name)
    }
  })

  it('a name beside an address stays; credentials of another address in it do not', async () => {
    await using catalogue = await tempCatalogue()
    const outlines = [
      `<outline text="News" title="${SECRET}/a" xmlUrl="${SECRET}/a"/>`,
      `<outline text="Was ${SECRET}/old" xmlUrl="${SECRET}/b"/>`,
      `<outline text="https://a.example" xmlUrl="${SECRET}/c"/>`,
    ]
    await catalogue.sources.importList('default', { bytes: bytes(`<opml><body>${outlines.join('')}</body></opml>`) })
    const labels = (await catalogue.sources.list('default')).items.map(({ label }) => label)
    assert.deepEqual(labels.toSorted(), ['News', 'Was https://a.example/old', 'https://a.example'])
  })

  it('entities of a document’s own are not expanded', async () => {
    await using catalogue = await tempCatalogue()
    const bomb =
      '<!DOCTYPE opml [<!ENTITY x SYSTEM "file:///etc/passwd">]><opml><body><outline text="&x;" xmlUrl="https://a.example/"/></body></opml>'
    await catalogue.sources.importList('default', { bytes: bytes(bomb) })
    assert.equal((await catalogue.sources.list('default')).items[0]?.label, '&x;')
  })
})

describe('exporting lists', () => {
  async function filled() {
    const catalogue = await tempCatalogue()
    await catalogue.podcasts.update('default', { name: 'Tom & "Jerry" <b>' })
    const create = (input: Parameters<typeof catalogue.sources.create>[1]) => catalogue.sources.create('default', input)
    await create({
      type: 'rss',
      url: 'https://me:h%3Aush@a.example/feed?x=1&y=2',
      label: 'A "quoted" <label>',
      fullText: 'auto',
      adaptive: true,
    })
    await create({ type: 'website', url: 'https://page.example/', pollIntervalMinutes: 90, enabled: false })
    await create({ url: '@Name', aggregate: false })
    return catalogue
  }

  it('OPML that is exported comes back the same elsewhere', async () => {
    await using catalogue = await filled()
    const opml = await catalogue.sources.exportOpml('default')
    assert.doesNotMatch(opml, /ush/)
    await using other = await tempCatalogue()
    const told = await other.sources.importList('default', { bytes: bytes(opml) })
    assert.deepEqual(told, { added: 3, skipped: 0, failed: [] })
    const names = ({ items }: Awaited<ReturnType<typeof other.sources.list>>) =>
      items.map(({ type, url, label }) => [type, url, label].join(' ')).toSorted()
    assert.deepEqual(names(await other.sources.list('default')), names(await catalogue.sources.list('default')))
  })

  it('a password in an address never comes back from OPML as a label', async () => {
    await using catalogue = await tempCatalogue()
    const long = `/${'p'.repeat(300)}`
    for (const path of ['/feed', long]) await catalogue.sources.create('default', { type: 'rss', url: SECRET + path })
    const opml = await catalogue.sources.exportOpml('default', { secrets: true })
    assert.doesNotMatch(opml, /(text|title)="[^"]*ush/)
    await using other = await tempCatalogue()
    await other.sources.importList('default', { bytes: bytes(opml) })
    const { items } = await other.sources.list('default')
    assert.deepEqual(
      items.map(({ label, hasCredentials }) => [label, hasCredentials]),
      [
        [null, true],
        [null, true],
      ],
    )
    assert.doesNotMatch(JSON.stringify(await other.sources.exportJson('default')), /ush/)
  })

  it('JSON that is exported brings all settings back, and credentials only when asked for', async () => {
    await using catalogue = await filled()
    assert.doesNotMatch(JSON.stringify(await catalogue.sources.exportJson('default')), /ush/)
    const exported = await catalogue.sources.exportJson('default', { secrets: true })
    await using other = await tempCatalogue()
    const told = await other.sources.importList('default', { bytes: bytes(JSON.stringify(exported)) })
    assert.deepEqual(told, { added: 3, skipped: 0, failed: [] })
    assert.deepEqual(await other.sources.exportJson('default', { secrets: true }), exported)
    const feed = (await other.sources.list('default', { type: 'rss' })).items[0]
    assert.deepEqual([feed?.fullText, feed?.adaptive], ['auto', true])
    assert.match(await catalogue.sources.exportOpml('default', { secrets: true }), /https:\/\/me:h%3Aush@a\.example/)
  })
})
