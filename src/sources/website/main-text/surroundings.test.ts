import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PARAGRAPHS } from '../../../../test/support/sample-pages.ts'
import { readPage } from '../read-page.ts'

const textOf = (body: string): string =>
  readPage(new TextEncoder().encode(`<title>Pool opens</title><body>${body}</body>`), {
    url: 'https://example.org/a',
    contentType: 'text/html',
  }).text
const NOTE =
  '<p>The town pool opens again on Saturday morning, the council said, after repairs that took all of the winter.</p>'
const LONG = PARAGRAPHS.map((text) => `<p>${text}</p>`).join('')
const around = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `<p>Reader ${index} thinks that it was high time, and that the price is too high for families.</p>`,
  ).join('')

const PLACES: [string, (text: string, beside: string) => string][] = [
  ['<article>', (text, beside) => `<article><h1>Pool opens</h1>${text}</article>${beside}`],
  ['<article> in <main>', (text, beside) => `<main><article><h1>Pool opens</h1>${text}</article>${beside}</main>`],
  ['<main>', (text, beside) => `<main><h1>Pool opens</h1>${text}</main>${beside}`],
  ['role=main', (text, beside) => `<div role="main"><h1>Pool opens</h1>${text}</div>${beside}`],
  [
    'itemprop=articleBody',
    (text, beside) => `<div><h1>Pool opens</h1><div itemprop="articleBody">${text}</div>${beside}</div>`,
  ],
]
const BESIDE: [string, (text: string) => string][] = [
  ['an aside', (text) => `<aside>${text}</aside>`],
  ['a footer', (text) => `<footer>${text}</footer>`],
  ['navigation', (text) => `<nav>${text}</nav>`],
  ['comments', (text) => `<div id="comments" class="comments-area"><h3>Comments</h3>${text}</div>`],
  [
    'comments that are articles',
    (text) => `<section class="comments"><article>${text}</article><article>${text}</article></section>`,
  ],
  ['related stories', (text) => `<div class="related-posts"><h3><a href="/x">Another story</a></h3>${text}</div>`],
]

for (const [place, page] of PLACES) {
  describe(`next to a text in ${place}`, () => {
    for (const [what, box] of BESIDE) {
      it(`${what} is removed whatever its size`, () => {
        for (const text of [NOTE, LONG]) {
          const alone = textOf(page(text, ''))
          for (const count of [1, 3, 10, 40]) assert.equal(textOf(page(text, box(around(count)))), alone, `${count}`)
        }
      })
    }
  })
}

it('comments inside the article are removed if an article is left', () => {
  const page = (count: number) =>
    `<article><h1>Pool opens</h1>${NOTE}<div class="comment-list">${around(count)}</div></article>`
  for (const count of [1, 5, 30]) assert.match(textOf(page(count)), /^The town pool[^\n]*winter\.$/)
})

it('marked content that is only a title does not remove the rest of the page', () => {
  const thread = textOf(`<main><h1>Pool opens</h1><div class="comments">${LONG}</div></main>`)
  assert.ok(PARAGRAPHS.every((text) => thread.includes(text)))
  const misplaced = textOf(`<main><h1>Pool opens</h1></main><aside>${LONG}</aside>`)
  assert.ok(PARAGRAPHS.every((text) => misplaced.includes(text)))
})

it('a box with a comments name stays if it contains the whole page', () => {
  const page = `<div class="with-comments"><main><h1>Pool opens</h1>${LONG}</main></div><article>${NOTE}</article>`
  assert.ok(PARAGRAPHS.every((text) => textOf(page).includes(text)))
})

it('a list of links in <main> is the text of the page, even with a long footer', () => {
  const links = ['Bridge closed again', 'Harbour fair opens', 'Snow expected', 'Ferry timetable changes for the winter']
  const list = links.map((title) => `<li><a href="/x">${title}</a></li>`).join('')
  assert.equal(textOf(`<main><ul>${list}</ul></main><footer>${LONG}</footer>`), links.join('\n'))
})
