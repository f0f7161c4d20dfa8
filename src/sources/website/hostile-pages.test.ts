import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { assertWithin } from '../../../test/support/processor-time.ts'
import { PARAGRAPHS } from '../../../test/support/sample-pages.ts'
import { MAX_TEXT_CHARS } from './main-text/main-text.ts'
import { PageError } from './page-error.ts'
import { readPage } from './read-page.ts'
import { MAX_DEPTH, MAX_ELEMENTS, scanPage } from './tree/scan-page.ts'

const read = (html: string) =>
  readPage(new TextEncoder().encode(html), { url: 'https://example.org/', contentType: 'text/html' })
const SENTENCE = 'A sentence, with a comma, that is long enough to be counted as a paragraph of running text.'

/** Fails if reading takes more CPU time than the limit. A quadratic reader would take far longer. */
async function readWithin(ms: number, html: string) {
  let page: ReturnType<typeof read> | undefined
  await assertWithin(ms, () => {
    page = read(html)
  })
  return page ?? assert.fail('nothing was read')
}

describe('a hostile page is read within a time limit', () => {
  it('50,000 nested divs', async () => {
    assert.equal(
      (await readWithin(5_000, `<title>Deep</title>${'<div>'.repeat(50_000)}at the bottom`)).text,
      'at the bottom',
    )
  })

  it('10 MB of paragraphs, cut at the cap', async () => {
    const page = await readWithin(5_000, `<title>Long</title>${`<p>${SENTENCE}</p>`.repeat(105_000)}`)
    assert.equal(page.title, 'Long')
    assert.ok(page.text.length <= MAX_TEXT_CHARS && page.text.length > MAX_TEXT_CHARS / 2)
  })

  it('40,000 deeply nested paragraphs', async () => {
    assert.ok(
      (await readWithin(5_000, '<div>'.repeat(240) + `<p>${SENTENCE}</p>`.repeat(40_000))).text.startsWith(SENTENCE),
    )
  })

  it('millions of escaped characters, of blanks, or of letters in one word', async () => {
    for (const text of ['&', '< ', ' ', 'a', '- ', '1 '])
      await readWithin(10_000, `<p>start ${text.repeat(2_000_000)} end</p>`)
  })

  it('tens of thousands of lines that match the rules', async () => {
    for (const line of [
      'Comments',
      'Related:',
      'By A B 1 1 1',
      '<a href="/x">Read more: x</a>',
      '1',
      '<blockquote>x</blockquote>',
    ]) {
      await readWithin(10_000, `<h1>x</h1><p>${SENTENCE.repeat(20)}</p>${`<div>${line}</div>`.repeat(3_000)}`)
    }
  })

  it('an element with 200,000 attributes, 300,000 comments, a megabyte of brackets in JSON-LD', async () => {
    const attributes = Array.from({ length: 200_000 }, (_, index) => `a${index}=1`).join(' ')
    assert.equal((await readWithin(5_000, `<body><div ${attributes}>text here</div>`)).text, 'text here')
    assert.equal((await readWithin(5_000, `<body>${'<!-- -->'.repeat(300_000)}text here`)).text, 'text here')
    const script = `<script type="application/ld+json">${'['.repeat(1_000_000)}</script>`
    assert.equal((await readWithin(5_000, `${script}<p>text here</p>`)).text, 'text here')
  })
})

describe('the scan', () => {
  it('accepts ordinary pages and rejects pages over each cap', () => {
    const tooLarge = (html: string) => scanPage(html).tooLarge
    assert.equal(tooLarge('<div>'.repeat(MAX_DEPTH - 1)), false)
    assert.equal(tooLarge('<div>'.repeat(MAX_DEPTH + 1)), true)
    assert.equal(tooLarge('<p>x</p>'.repeat(MAX_ELEMENTS - 1)), false)
    assert.equal(tooLarge('<p>x</p>'.repeat(MAX_ELEMENTS + 1)), true)
    assert.equal(tooLarge('x'.repeat(5_000_001)), true)
  })

  it('navigation is also removed from a page over the caps', () => {
    const page = read(
      `<nav>Home News</nav>${'<i></i>'.repeat(MAX_ELEMENTS)}<p>${PARAGRAPHS[0]}</p><footer>Imprint</footer>`,
    )
    assert.equal(page.text, PARAGRAPHS[0])
  })
})

describe('for any bytes', () => {
  const tag = fc.constantFrom(
    'div',
    'p',
    'article',
    'table',
    'tr',
    'td',
    'a',
    'nav',
    'noscript',
    'h1',
    'ul',
    'li',
    'pre',
    'form',
    'svg',
    'title',
    'body',
    'html',
    'blockquote',
    'frameset',
    'template',
    'br',
  )
  const fragment = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(SENTENCE, '&amp;', '<!--', '-->', '<![CDATA[', '<script>', '</script>', '<?xml', '5 minutes ago'),
    tag.map((name) => `<${name} class="related comment content">`),
    tag.map((name) => `</${name}>`),
  )

  it('a page is read or rejected with a code, and its white space is normalised', () => {
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 60 }), (fragments) => {
        try {
          const { text, title } = read(fragments.join(''))
          assert.notEqual(text, '')
          assert.equal(text, text.trim())
          assert.doesNotMatch(text, /\n{3}|[^\S\n]{2}| \n|\n |\t/)
          assert.doesNotMatch(title, /\s\s|\n/)
        } catch (error) {
          if (!(error instanceof PageError)) throw error
        }
      }),
      { numRuns: 400 },
    )
  })

  it('random bytes are read or rejected with a code', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 2_000 }),
        fc.constantFrom(undefined, 'text/html', 'text/plain', 'text/html; charset=shift_jis'),
        (bytes, contentType) => {
          try {
            assert.equal(typeof readPage(bytes, { url: 'https://example.org/', contentType }).text, 'string')
          } catch (error) {
            if (!(error instanceof PageError)) throw error
          }
        },
      ),
      { numRuns: 200 },
    )
  })
})
