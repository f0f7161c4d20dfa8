import assert from 'node:assert/strict'
import { it } from 'node:test'
import { PARAGRAPHS } from '../../../../test/support/sample-pages.ts'
import { readPage } from '../read-page.ts'
import { pageTree } from '../tree/page-tree.ts'
import { removeInlineAsides } from './inline-asides.ts'

const textOf = (body: string): string =>
  readPage(new TextEncoder().encode(`<html><head><title>Page</title></head><body>${body}</body></html>`), {
    url: 'https://example.org/a',
    contentType: 'text/html',
  }).text
const TEXT = PARAGRAPHS.map((text) => `<p>${text}</p>`).join('')
const around = (html: string): string => textOf(`<article><h1>Page</h1>${TEXT}${html}${TEXT}</article>`)
const BARE = around('')

it('a hover card after a link is removed, the link stays', () => {
  const card = (name: string) =>
    `<span><span><img src="x.jpg"><a href="/people/jo">${name}</a><a href="/1">A story about bridges</a> <a href="/2">Another story</a></span></span>`
  for (const name of ['Jo Berg', 'Jo Maria Berg']) {
    const line = `<p>The member for the harbour ward, <a href="/people/jo">Jo Berg</a>${card(name)}, asked for a second report on it.</p>`
    assert.ok(around(line).includes('The member for the harbour ward, Jo Berg, asked for a second report on it.'))
  }
})

it('a box after a link stays if it does not repeat the link', () => {
  const boxes = [
    '<a href="/1"><img src="x.jpg"></a><div><a href="/1">A headline</a> <a href="/jo">Jo</a></div>',
    '<a href="/1">Jo Berg</a><span><a href="/1">The mayor</a> <a href="/2">The council</a></span>',
    '<a href="/1">Jo Berg</a><span><a href="/1">Jo Berg</a> and <a href="/2">the council</a></span>',
    '<a href="/1">Jo Berg</a>, <span><a href="/1">Jo Berg</a> <a href="/2">The council</a></span>',
  ]
  for (const box of boxes) {
    const tree = pageTree(`<html><body><p>${box}</p></body></html>`, { hasHtml: true, bodies: 1 })
    assert.ok(tree)
    const before = tree.body.innerHTML
    removeInlineAsides(tree.body)
    assert.equal(tree.body.innerHTML, before)
  }
})

it('a list of keywords is removed in any element, a keyword in a sentence stays', () => {
  const tags = ['mills', 'libraries'].map((tag) => `<a href="/tag/${tag}" rel="tag">${tag}</a>`)
  for (const list of [
    `<strong>Tags<br>${tags.join(', ')}</strong>`,
    `<p>${tags.join(' ')}</p>`,
    `<ul>${tags.map((tag) => `<li>${tag}</li>`).join('')}</ul>`,
  ])
    assert.equal(around(list), BARE, list)
  assert.match(around(`<p>The council has long argued about ${tags[0]} and their upkeep.</p>`), /about mills and their/)
})

it('advertisement placeholders and share lines are removed', () => {
  assert.equal(
    around('<amp-ad width="300"><p fallback>No ad could be shown here, we are sorry for that.</p></amp-ad>'),
    BARE,
  )
  assert.equal(around('<p><a href="#">Share on Facebook</a> <a>Share on Twitter</a></p>'), BARE)
})

it('the edit link of a wiki heading is removed', () => {
  const heading = '<h2>History<span>[<a href="/edit">edit</a>]</span></h2>'
  assert.match(around(heading), /\n\nHistory\n\n/)
})

it('text in a declarative shadow root is read, text in other templates is not', () => {
  const host = (mode: string) => `<my-story><template${mode}>${TEXT}</template></my-story>`
  assert.equal(textOf(host(' shadowrootmode="open"')), PARAGRAPHS.join('\n\n'))
  assert.ok(textOf('<div>'.repeat(300) + host(' shadowrootmode="open"')).includes(PARAGRAPHS[0] ?? ''))
  assert.equal(textOf(`<p>Only this.</p>${host('')}`), 'Only this.')
})

it('a calendar before the first paragraph stays', () => {
  const dates = ['10 March – Interlagos', '8 April – Curitiba', '22 April – Velopark', '6 May – Londrina']
  assert.ok(textOf(`<main><h1>Page</h1><p>${dates.join('<br>')}</p>${TEXT}</main>`).startsWith(dates.join('\n')))
})
