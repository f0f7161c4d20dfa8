import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tempCatalogue } from '../../../test/support/catalogue.ts'
import { Problem } from '../../domain/problem.ts'
import { readOpml } from '../../sources/list/read-opml.ts'
import { OPML_TAIL, opmlHead, opmlOutlines } from './opml.ts'

const A = '<outline text="A" xmlUrl="https://a.example/"/>'
const WHOLE = `<?xml version="1.0"?>\n<opml version="2.0">\n<head><title>T</title></head>\n<body>\n${A}\n<outline text="F">\n<outline text="B" xmlUrl="https://b.example/"></outline>\n</outline>\n</body>\n</opml>\n`

function urlsOf(text: string): string[] {
  const opml = readOpml(text)
  assert.ok(opml.kind === 'outlines', JSON.stringify(opml))
  return opml.outlines.map(({ url }) => url)
}

function labelsOf(text: string): (string | null)[] {
  const opml = readOpml(text)
  assert.ok(opml.kind === 'outlines', JSON.stringify(opml))
  return opml.outlines.map(({ label }) => label)
}

function problemOf(text: string): string {
  const opml = readOpml(text)
  assert.ok(opml.kind === 'broken', JSON.stringify(opml))
  return opml.problem
}

describe('OPML', () => {
  it('is refused wherever it is cut off behind its first tag, and read when it is whole', () => {
    assert.equal(urlsOf(WHOLE.trimEnd()).length, 2)
    const start = WHOLE.indexOf('<head>')
    for (let end = start; end < WHOLE.trimEnd().length; end++) {
      assert.equal(readOpml(WHOLE.slice(0, end)).kind, 'broken', WHOLE.slice(0, end))
    }
  })

  it('names what is missing and its line', () => {
    assert.equal(problemOf('<opml><body><outline xmlUrl="http://e.org/z"'), 'the tag <outline of line 1 is cut off')
    assert.equal(problemOf(`<opml>\n<body>\n${A}\n</body>`), '<opml> of line 1 is never closed')
    assert.equal(
      problemOf(`<opml>\n<body>\n<outline text="F">${A}\n</body></opml>`),
      '<outline> of line 3 is never closed',
    )
    assert.equal(problemOf(`${A}\n<outl`), 'a tag of line 2 is cut off')
    const torn = ['text="open xmlUrl="https://b.example/"/>', 'text="B" xmlUrl="https://b.example//>', 'text="B"']
    for (const tag of torn) {
      const text = `<opml><body>\n<outline ${tag}\n${A}</body></opml>`
      assert.equal(problemOf(text), 'a quote or bracket is missing in <outline> of line 2', tag)
    }
  })

  it('that speaks of tags in its names is whole', () => {
    for (const name of ['Styling the &lt;body&gt; tag', '&#60;/outline&#62;', '&lt;opml']) {
      assert.deepEqual(urlsOf(`<opml><body><outline text="${name}" xmlUrl="https://a.example/"/></body></opml>`), [
        'https://a.example/',
      ])
    }
    const label = '<outline> & <body>'
    const source = {
      type: 'rss',
      isPage: false,
      url: 'https://a.example/',
      address: 'https://a.example/',
      folder: null,
      settings: {},
    }
    const written = opmlOutlines([{ ...source, label, title: null }])
    assert.deepEqual(labelsOf(`${opmlHead('t', 0)}${written}${OPML_TAIL}`), [label])
  })

  it('cuts a long name between characters', () => {
    const name = `${'a'.repeat(199)}😀`
    assert.deepEqual(labelsOf(`<opml><body><outline text="${name}" xmlUrl="https://a.example/"/></body></opml>`), [
      'a'.repeat(199),
    ])
  })

  it('that is bottomless is refused before it costs', () => {
    const deep = `<opml><body>${'<outline text="a">'.repeat(100_000)}`
    assert.equal(problemOf(deep), 'elements are nested more than 1000 deep')
  })

  it('with a processing instruction right before any tag is read', () => {
    for (const text of [
      `<?xml version="1.0"?><opml version="2.0"><body>${A}</body></opml>`,
      `<opml><?pi foo?><body><?pi foo?>${A}<?pi foo?></body><?pi foo?></opml>`,
      `<?xml version="1.0"?>${A}`,
    ]) {
      assert.deepEqual(urlsOf(text), ['https://a.example/'], text)
    }
    const torn = `<?xml version="1.0"?><opml><body>\n<?pi?><outline text="B"\n${A}</body></opml>`
    assert.equal(problemOf(torn), 'a quote or bracket is missing in <outline> of line 2')
  })

  it('is written with its date as RFC 822 has it', () => {
    const at = Date.UTC(2026, 0, 5, 7, 8, 9)
    assert.match(opmlHead('t', at), /<dateCreated>Mon, 05 Jan 2026 07:08:09 GMT<\/dateCreated>/)
  })

  it('that is merely sloppy is read', () => {
    const sloppy = [
      '\ufeff<?xml version="1.0"?><!DOCTYPE opml SYSTEM "x.dtd"><OPML><Body><Outline TEXT="A" xmlURL="https://a.example/"></outline></body></opml>',
      '<opml><body><outline text="a &nbsp; b & c &who;" xmlUrl="https://a.example/"/></body></opml>',
      '<opml><head/><body><!-- <outline> --><outline text="a < b > c" xmlUrl="https://a.example/" /></body></opml>\n<!-- made by hand -->',
      "<opml><body><outline text='<b>bold</b>' xmlUrl='https://a.example/'/></outline></body></opml>",
      `<opml><body><![CDATA[<outline>]]>${A}</body></opml>`,
      A,
    ]
    for (const text of sloppy) assert.deepEqual(urlsOf(text), ['https://a.example/'], text)
  })

  it('that has the address of a feed in url is read', () => {
    const outlines =
      '<outline type="rss" url="https://a.example/"/><outline type="Atom" url="https://b.example/" text="B"/>'
    assert.deepEqual(urlsOf(`<opml><body>${outlines}</body></opml>`), ['https://a.example/', 'https://b.example/'])
  })

  it('without outlines is an empty list, and without OPML none at all', () => {
    assert.deepEqual(urlsOf('<opml version="2.0"><head/><body/></opml>'), [])
    for (const text of ['<html><p>hi</html>', '<rss', '', 'text']) assert.equal(readOpml(text).kind, 'not-opml', text)
  })
})

describe('folders in OPML', () => {
  it('are kept on import, nested ones too, and come back out', async () => {
    await using catalogue = await tempCatalogue()
    const nested = `<outline text="Tech"><outline title="Linux/BSD" text="x">${A}</outline><outline text="B" xmlUrl="https://b.example/"/></outline>`
    const list = `<opml><body>${nested}<outline text="C" xmlUrl="https://c.example/"/></body></opml>`
    await catalogue.sources.importList('default', { bytes: Buffer.from(list) })
    const folders = async (from: typeof catalogue) =>
      (await from.sources.list('default')).items.map(({ label, folder }) => `${label}: ${folder}`).toSorted()
    const expected = ['A: Tech/Linux\\/BSD', 'B: Tech', 'C: null']
    assert.deepEqual(await folders(catalogue), expected)
    const written = await catalogue.sources.exportOpml('default')
    assert.match(
      written,
      /<outline text="Tech" title="Tech">\s*<outline text="Linux\/BSD"[^>]*>\s*<outline type="rss" text="A"/,
    )
    await using other = await tempCatalogue()
    await other.sources.importList('default', { bytes: Buffer.from(written) })
    assert.deepEqual(await folders(other), expected)
    const json = await catalogue.sources.exportJson('default')
    assert.deepEqual(json.sources.map(({ folder }) => folder).toSorted(), ['Tech', 'Tech/Linux\\/BSD', null])
  })

  it('that are nested very deep are cut where the field ends', () => {
    const deep = `${'<outline text="folder">'.repeat(900)}${A}${'</outline>'.repeat(900)}`
    const opml = readOpml(`<opml><body>${deep}</body></opml>`)
    assert.ok(opml.kind === 'outlines')
    const [outline] = opml.outlines
    assert.ok((outline?.folder?.length ?? 0) <= 1000 && outline?.folder?.startsWith('folder/folder/'))
  })

  it('a source without a label is exported under its own title, which does not come back as a label', () => {
    const source = {
      type: 'rss',
      isPage: false,
      url: 'https://a.example/',
      address: 'https://a.example/',
      folder: null,
      settings: {},
    }
    const written = `${opmlHead('t', 0)}${opmlOutlines([{ ...source, label: null, title: 'Own' }])}${OPML_TAIL}`
    assert.match(written, /text="Own" title="Own" xmlUrl/)
    assert.deepEqual(labelsOf(written), [null])
  })
})

describe('importing OPML', () => {
  it('a cut document changes nothing', async () => {
    await using catalogue = await tempCatalogue()
    const cut = WHOLE.slice(0, WHOLE.indexOf('b.example'))
    await assert.rejects(
      catalogue.sources.importList('default', { bytes: Buffer.from(cut) }),
      (error) =>
        error instanceof Problem &&
        error.status === 400 &&
        /not valid OPML: the tag <outline of line 7/.test(error.message),
    )
    assert.equal((await catalogue.sources.list('default')).items.length, 0)
  })

  it('an empty address is told as failed, beside the ones that are added', async () => {
    await using catalogue = await tempCatalogue()
    const list = `<opml><body><outline text="N" xmlUrl=" "/>${A}</body></opml>`
    const told = await catalogue.sources.importList('default', { bytes: Buffer.from(list) })
    assert.deepEqual([told.added, told.failed.map(({ url }) => url)], [1, ['']])
    assert.match(told.failed[0]?.reason ?? '', /^url: expected/)
  })
})
