import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PARAGRAPHS } from '../../../../test/support/sample-pages.ts'
import { readPage } from '../read-page.ts'

const textOf = (body: string): string =>
  readPage(new TextEncoder().encode(`<title>Ferry stops</title><body>${body}</body>`), {
    url: 'https://example.org/a',
    contentType: 'text/html',
  }).text
const TEXT = PARAGRAPHS.map((text) => `<p>${text}</p>`)
const BARE = PARAGRAPHS.join('\n\n')
const within = (html: string): string =>
  textOf(`<article><h1>Ferry stops</h1>${TEXT[0]}${html}${TEXT.slice(1).join('')}</article>`)

it('names count once, however many boxes with such names are nested', () => {
  const words = 'We keep small files on your machine, and so do the firms that we work with every day.'
  const nested = (depth: number): string =>
    depth === 0 ? `<p>${words}</p>` : `<div class="cookie-consent">${nested(depth - 1)}</div>`
  for (const depth of [1, 5, 20]) assert.equal(within(nested(depth)), BARE, `${depth}`)
})

it('names that would remove most of the page are not believed', () => {
  const page = PARAGRAPHS.map((text) => `<div class="promo"><p>${text}</p></div>`).join('')
  assert.equal(textOf(`<h1>Ferry stops</h1>${page}`), BARE)
})

describe('captions and credits', () => {
  it('are removed, on inline elements too', () => {
    const captions = [
      '<span class="picture"><img src="a.jpg"><em class="copyright">Harbour office | Jo Berg</em></span>',
      '<div><img src="a.jpg"><strong class="caption">The ferry at the pier in spring</strong></div>',
      '<p class="icaption_left"><img src="a.jpg"><span class="credits">Harbour office</span></p>',
      '<div class="img-metadata"><span>The ferry at the pier, photo: Jo Berg</span></div>',
    ]
    for (const caption of captions) assert.equal(within(caption), BARE, caption)
  })

  it('are not texts beside a picture', () => {
    const line = 'The ferry has been sailing since the bridge fell.'
    for (const name of ['image-text', 'media-text', 'image-description'])
      assert.ok(within(`<div class="${name}"><p>${line}</p></div>`).includes(line), name)
  })
})

it('a box about the author is removed, and an article in a class of the author stays', () => {
  const about = '<p>Jo Berg has been writing about ships for a very long time.</p>'
  for (const box of ['<div class="entry-author show">', '<div class="row" id="author">', '<div class="post-author">'])
    assert.equal(within(`${box}${about}</div>`), BARE, box)
  assert.equal(
    within('<div class="author-jo post"><p>The pier stays open for walkers.</p></div>').includes('pier'),
    true,
  )
})

it('the footer of a short article is removed', () => {
  const note = 'The town pool opens again on Saturday morning, the council said, after repairs that took all winter.'
  const footer =
    '<footer><p>This was written by Jo Berg in the category News. Bookmark the permanent link.</p></footer>'
  assert.equal(textOf(`<article><h1>Ferry stops</h1><p>${note}</p>${footer}</article>`), note)
})
