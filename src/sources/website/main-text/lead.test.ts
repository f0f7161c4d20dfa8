import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PARAGRAPHS } from '../../../../test/support/sample-pages.ts'
import { readPage } from '../read-page.ts'

const textOf = (body: string): string =>
  readPage(new TextEncoder().encode(`<title>Ferry stops</title><body>${body}</body>`), {
    url: 'https://example.org/a',
    contentType: 'text/html',
  }).text
const LEAD =
  'The ferry across the bay stops in autumn: the company has found no crew for the evening tours, and the town does not want to pay for them any longer.'
const BODY = `<div itemprop="articleBody">${PARAGRAPHS.map((text) => `<p>${text}</p>`).join('')}</div>`
const BARE = PARAGRAPHS.join('\n\n')
const above = (html: string): string => textOf(`<main><header><h1>Ferry stops</h1>${html}</header>${BODY}</main>`)

describe('a lead between the heading and the marked body', () => {
  it('is part of the text, whatever its element, its name and its box', () => {
    const leads = [
      `<p>${LEAD}</p>`,
      `<h2>${LEAD}</h2>`,
      `<div><div><p><strong>${LEAD}</strong></p></div></div>`,
      `<div class="article-excerpt"><span>${LEAD}</span></div>`,
      `<section><div class="news-lead"><ul><li>${LEAD}</li></ul></div></section>`,
    ]
    for (const lead of leads) assert.equal(above(lead), `${LEAD}\n\n${BARE}`, lead)
  })

  it('stays in the order of the page', () => {
    const second = LEAD.replace('The ferry', 'A second ferry')
    assert.equal(above(`<p>${LEAD}</p><div><p>${second}</p></div>`), `${LEAD}\n\n${second}\n\n${BARE}`)
  })

  it('is read above every mark of a body', () => {
    const bodies = [
      `<div class="article-body">${PARAGRAPHS.map((text) => `<p>${text}</p>`).join('')}</div>`,
      `<article>${PARAGRAPHS.map((text) => `<p>${text}</p>`).join('')}</article>`,
    ]
    for (const body of bodies)
      assert.equal(textOf(`<main><h1>Ferry stops</h1><p>${LEAD}</p>${body}</main>`), `${LEAD}\n\n${BARE}`)
  })
})

describe('what stands between the heading and the marked body without being a lead', () => {
  it('is a subheadline, a caption, a line of links or a line without an end', () => {
    const others = [
      '<h2>The company has found no crew.</h2>',
      '<p class="subtitle">No crew for the evening tours.</p>',
      `<div><img src="a.jpg"><p>${LEAD}</p></div>`,
      `<figure><img src="a.jpg"><div><p>${LEAD}</p></div></figure>`,
      `<p><a href="/b">${LEAD}</a></p>`,
      `<p>${LEAD.slice(0, -1)}</p>`,
    ]
    for (const other of others) assert.equal(above(other), BARE, other)
  })

  it('does not become the text when it stands above the heading', () => {
    assert.equal(textOf(`<main><p>${LEAD}</p><h1>Ferry stops</h1>${BODY}</main>`), BARE)
  })
})

describe('the element that the page marks as its body', () => {
  const filled = (html: string): string =>
    textOf(
      `<article><h1>Ferry stops</h1><div class="entry-content"><p>${PARAGRAPHS[0]}</p>${html}<p>${PARAGRAPHS[1]}</p></div></article>`,
    )

  it('is read as a whole: short parts, headings in boxes, lists of steps and tables stay', () => {
    const parts: [string, string][] = [
      [
        '<div class="step"><h3>Before you sail</h3><div><p>Ask for the tide.</p></div></div>',
        'Before you sail\n\nAsk for the tide.',
      ],
      [
        '<div><table><tr><td>Adults</td><td>4 euros</td></tr><tr><td>Dogs</td><td>free</td></tr></table></div>',
        'Adults 4 euros\nDogs free',
      ],
      ['<div><ol><li>Buy a ticket.</li><li>Wait at the pier.</li></ol></div>', 'Buy a ticket.\nWait at the pier.'],
      ['<div class="card"><blockquote><p>We shall miss it.</p></blockquote></div>', 'We shall miss it.'],
      ['<div><pre><code>ferry --stop\nferry --list</code></pre></div>', 'ferry --stop\nferry --list'],
    ]
    for (const [html, text] of parts)
      assert.equal(filled(html), `${PARAGRAPHS[0]}\n\n${text}\n\n${PARAGRAPHS[1]}`, html)
  })
})
