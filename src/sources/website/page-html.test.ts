import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PARAGRAPHS } from '../../../test/support/sample-pages.ts'
import { readPage } from './read-page.ts'

const paragraph = (at: number) => `<p>${PARAGRAPHS[at % PARAGRAPHS.length]}</p>`

test('the HTML of a page keeps headings, lists, tables, code, quotes and figures of its article, and nothing around it', () => {
  const { html, text } = readPage(
    Buffer.from(`<!doctype html><html><head><title>The mill</title></head><body>
      <nav><ul><li><a href="/">Home</a></li><li><a href="/about">About</a></li></ul></nav>
      <article><h1>The mill</h1>${paragraph(0)}
      <h2>How it works</h2>${paragraph(1)}
      <ul><li>Water comes down the channel.</li><li>The wheel turns slowly.</li></ul>
      <ol><li>Open the gate of the channel.</li><li>Wait for the wheel to turn.</li></ol>
      <blockquote><p>A mill is a house that eats rivers, and it is never full.</p></blockquote>
      <pre><code class="language-js">const mill = open('gate')\n  .wait()</code></pre>
      ${paragraph(2)}
      <table><thead><tr><th>Year</th><th>Flour in tons</th></tr></thead>
        <tbody><tr><td>1901</td><td>120</td></tr><tr><td>1902</td><td>135</td></tr></tbody></table>
      <figure><img src="/mill.jpg" width="800" height="600" alt="The mill"><figcaption>The <b>mill</b> &amp; its "wheel"
 in spring of last year, 2 &lt; 3</figcaption></figure>
      ${paragraph(0)}</article>
      <footer><p>Imprint and privacy</p></footer></body></html>`),
    { contentType: 'text/html', url: 'https://example.org/a/b' },
  )
  for (const part of [
    '<h2>How it works</h2>',
    '<li>Water comes down the channel.</li>',
    '<ol>',
    '<blockquote>',
    '<pre><code class="language-js">const mill',
    '<td>1901</td>',
    '<th>Flour in tons</th>',
    '<figure><img src="https://example.org/mill.jpg"',
    '<figcaption>The mill &amp; its "wheel" in spring of last year, 2 &lt; 3</figcaption></figure>',
  ])
    assert.ok(html?.includes(part), `${part} in ${html}`)
  assert.doesNotMatch(html ?? '', /Imprint|About|waiting/)
  assert.doesNotMatch(text, /spring of last year/)
})
