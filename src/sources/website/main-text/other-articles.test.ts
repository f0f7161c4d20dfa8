import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PARAGRAPHS } from '../../../../test/support/sample-pages.ts'
import { readPage } from '../read-page.ts'

const textOf = (title: string, body: string, head = ''): string =>
  readPage(new TextEncoder().encode(`<html><head><title>${title}</title>${head}</head><body>${body}</body></html>`), {
    url: 'https://example.org/a',
    contentType: 'text/html',
  }).text
const OWN = PARAGRAPHS.slice(0, 2)
const OTHER = PARAGRAPHS.slice(2)
const story = (heading: string, texts: readonly string[]): string =>
  `<article>${heading}${texts.map((text) => `<p>${text}</p>`).join('')}</article>`

describe('if the title matches one article, only that article is read', () => {
  const own = OWN.join('\n\n')
  it('on an endless page with the next stories', () => {
    for (const level of ['h1', 'h2']) {
      const stories = `${story(`<${level}>First story</${level}>`, OWN)}${story(`<${level}>Second story</${level}>`, [...OTHER, ...OTHER])}`
      assert.equal(textOf('First story - The Courier', `<main>${stories}</main>`).includes(OTHER[0] ?? ''), false)
      assert.ok(textOf('First story - The Courier', `<main>${stories}</main>`).endsWith(own))
    }
  })

  it('even if the site adds its name to the title', () => {
    const stories = `${story('<h2>First story – the whole of it</h2>', OWN)}${story('<h2><a href="/2">Second story</a></h2>', OTHER)}`
    for (const title of ['First story – the whole of it - The Courier', 'The Courier | First story – the whole of it'])
      assert.ok(textOf(title, `<main>${stories}</main>`).endsWith(own), title)
  })

  it('on a page with teasers whose headings link to other pages', () => {
    const teasers = Array.from({ length: 6 }, (_, index) =>
      story(`<h3><a href="/${index}">Other story ${index}</a></h3>`, OTHER.slice(0, 1)),
    )
    const head = '<meta property="og:title" content="First story">'
    const text = textOf('The Courier', `<div>${story('<h2>First story</h2>', OWN)}${teasers.join('')}</div>`, head)
    assert.ok(text.endsWith(own) && !text.includes('Other story'))
  })
})

describe('all articles are read', () => {
  const has = (text: string): boolean => PARAGRAPHS.every((paragraph) => text.includes(paragraph))

  it('on a list page whose title matches none of them', () => {
    const stories = `${story('<h1><a href="/1">First story</a></h1>', OWN)}${story('<h1><a href="/2">Second story</a></h1>', OTHER)}`
    assert.ok(has(textOf('The Courier', `<main>${stories}</main>`)))
  })

  it('in a text with chapters and in a thread', () => {
    const chapters = `${story('<h2>First story</h2>', OWN)}${story('<h3><a href="#two">The second chapter</a></h3>', OTHER)}`
    assert.ok(has(textOf('First story', `<main>${chapters}</main>`)))
    const thread = `${story('<h3>Leaking roof</h3>', OWN)}${story('<h3><a href="/p2">Re: Leaking roof</a></h3>', OTHER)}`
    assert.ok(has(textOf('Leaking roof - Forum', `<main>${thread}</main>`)))
  })
})
