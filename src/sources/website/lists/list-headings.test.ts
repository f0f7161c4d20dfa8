import assert from 'node:assert/strict'
import { it } from 'node:test'
import { PARAGRAPHS } from '../../../../test/support/sample-pages.ts'
import { readPage } from '../read-page.ts'

const textOf = (body: string): string =>
  readPage(new TextEncoder().encode(`<title>Page</title><body>${body}</body>`), {
    url: 'https://example.org/a',
    contentType: 'text/html',
  }).text
const list = (headings: readonly string[]): string =>
  `<main><h1>Page</h1>${headings.map((heading, index) => `${heading}<p>${PARAGRAPHS[index]}</p>`).join('')}</main>`

it('the first heading of a list stays like the headings after it', () => {
  const lists = [
    ['First headline of the day', 'Second headline of the day', 'Third one'].map(
      (title, index) => `<h2><a href="/${index}">${title}</a></h2>`,
    ),
    ['v2.0.0', 'v1.1.0', 'v1.0.0'].map((version) => `<h2><a href="/${version}">${version}</a></h2>`),
    ['February 17, 2026', 'February 10, 2026', 'January 5, 2026'].map((date) => `<h2>${date}</h2>`),
    ['2.1.0 (2026-02-17)', '2.0.0 (2026-02-10)'].map((version) => `<h3>${version}</h3>`),
  ]
  for (const headings of lists) {
    const text = textOf(list(headings))
    for (const heading of headings) {
      const title = heading.replace(/<[^>]*>/g, '')
      assert.ok(text.includes(title), title)
    }
  }
})

it('a list of posts that are articles keeps every headline', () => {
  const posts = PARAGRAPHS.map(
    (text, index) => `<article><h2><a href="/${index}">Post number ${index}</a></h2><p>${text}</p></article>`,
  )
  const text = textOf(`<nav><a href="/">Home</a></nav><main>${posts.join('')}</main>`)
  assert.ok(PARAGRAPHS.every((_, index) => text.includes(`Post number ${index}\n\n${PARAGRAPHS[index]}`)))
})

it('a linked title and a date above a single article are removed', () => {
  const article = `<h2><a href="/a">An article</a></h2><h3>February 17, 2026</h3>${PARAGRAPHS.map((text) => `<p>${text}</p>`).join('')}<h2>A chapter</h2><p>${PARAGRAPHS[0]}</p>`
  assert.ok(textOf(`<main>${article}</main>`).startsWith(PARAGRAPHS[0] ?? ''))
})
