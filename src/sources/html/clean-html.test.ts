import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertGrowsLinearly } from '../../../test/support/processor-time.ts'
import { XSS_CASES } from '../../../test/support/xss-cases.ts'
import { cleanHtml, MAX_HTML_BYTES } from './clean-html.ts'
import { htmlToMarkdown } from './html-to-markdown.ts'

const BASE = 'https://blog.example/2026/post'
const clean = (html: string) => cleanHtml(html, BASE).html

describe('cleaning HTML', () => {
  test('keeps headings, lists, tables, code, quotes and figures', () => {
    const html =
      '<h2>Title</h2><ul><li>one</li></ul><table><tbody><tr><th scope="row">a</th><td colspan="2">b</td></tr></tbody></table>' +
      '<pre><code class="language-js">let a</code></pre><blockquote>said</blockquote><figure><figcaption>c</figcaption></figure>'
    assert.equal(clean(html), html)
  })

  test('makes links and pictures absolute, and drops other addresses', () => {
    assert.equal(
      clean(
        '<a href="../a?x=1&amp;y=2">up</a> <a href="mailto:a@b.example">mail</a> <a href="data:text/html,x">no</a>',
      ),
      '<a href="https://blog.example/a?x=1&amp;y=2">up</a> <a href="mailto:a@b.example">mail</a> <a>no</a>',
    )
    assert.equal(clean('<img src="/i.png" alt="An I">'), '<img src="https://blog.example/i.png" alt="An I" />')
  })

  test('drops pictures that count readers', () => {
    for (const pixel of [
      '<img src="https://t.example/p" width="1" height="1">',
      '<img src="https://t.example/p" style="width:0px">',
      '<img src="https://t.example/p" style="display: none">',
      '<img src="https://feeds.feedburner.com/~r/x/~4/y">',
      '<img src="https://pixel.wp.com/b.gif">',
    ])
      assert.equal(clean(`<p>text</p>${pixel}`), '<p>text</p>', pixel)
  })

  test('finds the real address of lazy pictures', () => {
    const found = (attributes: string) => cleanHtml(`<img ${attributes}>`, BASE).image
    assert.equal(found('src="data:image/gif;base64,R0" data-src="/real.jpg"'), 'https://blog.example/real.jpg')
    assert.equal(found('src="/img/placeholder.gif" data-lazy-src="/real.jpg"'), 'https://blog.example/real.jpg')
    assert.equal(found('srcset="/s.jpg 300w, /l.jpg 1200w, /m.jpg 600w"'), 'https://blog.example/l.jpg')
    assert.equal(found('srcset="/one.jpg, /two.jpg 2x"'), 'https://blog.example/two.jpg')
    assert.equal(found('src="/own.jpg" data-src="/other.jpg"'), 'https://blog.example/own.jpg')
  })

  test('the picture of a text is its first that is not an icon', () => {
    const html = '<img src="/icon.png" width="16" height="16"><img src="/emoji/smile.png"><img src="/big.jpg">'
    assert.equal(cleanHtml(html, BASE).image, 'https://blog.example/big.jpg')
    assert.equal(cleanHtml('<p>none</p>', BASE).image, null)
  })

  test('nothing to show is null', () => {
    for (const empty of ['', '  ', '<p>&nbsp;</p>', '<script>x</script>', '<!-- c -->'])
      assert.equal(clean(empty), null)
  })

  test('text without markup is escaped as it is', () => {
    assert.equal(clean('a > b "c" \'d\''), 'a &gt; b "c" \'d\'')
    assert.equal(clean('a &gt; b & c'), 'a &gt; b &amp; c')
  })

  test('is cut to its limit with its elements closed', () => {
    const long = clean(`<div><ul>${'<li>an item of a long list</li>'.repeat(60_000)}</ul></div>`) ?? ''
    assert.ok(Buffer.byteLength(long) <= MAX_HTML_BYTES && long.length > MAX_HTML_BYTES * 0.8)
    assert.ok(long.endsWith('</ul></div>'), long.slice(-100))
  })

  for (const [name, html] of XSS_CASES) {
    test(`leaves nothing executable of ${name}`, () => {
      const result = clean(html) ?? ''
      assert.doesNotMatch(result, /<(?:script|style|iframe|object|embed|form|svg|math|link|meta|base|template)\b/i)
      for (const [tag] of result.matchAll(/<[^>]*>/g)) {
        assert.doesNotMatch(tag, /\son\w+\s*=|="\s*(?:javascript|vbscript|data)\s*:|srcdoc|style\s*=/i, tag)
      }
    })
  }

  test('cost grows with the length of hostile input, not faster', async () => {
    for (const unit of [
      '<div>',
      '<a href="',
      '<svg><style>',
      '<img width=1>',
      '&lt;',
      '</p>',
      '<table><tr><td>',
      '<!--',
    ]) {
      await assertGrowsLinearly(unit, 10_000, (count) => clean(unit.repeat(count)))
    }
  })
})

describe('Markdown', () => {
  test('has headings, lists, links, code and tables', () => {
    const html =
      '<h2>T</h2><p>a <strong>b</strong> <a href="https://e.example/">c</a></p><ul><li>x</li></ul>' +
      '<pre><code class="language-js">let a</code></pre>' +
      '<table><thead><tr><th>k</th><th>v</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>'
    const markdown = htmlToMarkdown(html)
    for (const part of ['## T', 'a **b** [c](https://e.example/)', '```js\nlet a\n```', '| k   | v   |'])
      assert.ok(markdown.includes(part), `${part} in ${markdown}`)
    assert.match(markdown, /^- +x$/m)
  })
})
