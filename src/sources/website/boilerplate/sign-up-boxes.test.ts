import assert from 'node:assert/strict'
import { it } from 'node:test'
import { PARAGRAPHS } from '../../../../test/support/sample-pages.ts'
import { pageTree } from '../tree/page-tree.ts'
import { removeSignUpBoxes } from './sign-up-boxes.ts'

const TEXT = PARAGRAPHS.map((text) => `<p>${text}</p>`).join('')

function left(html: string): string {
  const tree = pageTree(`<html><body>${html}</body></html>`, { hasHtml: true, bodies: 1 })
  assert.ok(tree)
  removeSignUpBoxes(tree.body)
  return tree.body.innerHTML
}

it('a box with a field for an email address is removed with its words, in any language', () => {
  const fields = ['<input type="email">', '<input type="EMAIL" name="x">', '<input name="your-email">']
  for (const field of fields)
    for (const words of ['Every Friday in your inbox.', 'Jeden Freitag neu.', '毎週金曜日に。'])
      assert.equal(
        left(`<main>${TEXT}<div><div><h3>${words}</h3><p>${words}</p></div><form>${field}</form></div></main>`),
        `<main>${TEXT}</main>`,
      )
})

it('the text around the box stays, and so does a box that holds the heading or an article', () => {
  const field = '<form><input type="email"></form>'
  assert.equal(left(`<div>${TEXT}${field}</div>`), `<div>${TEXT}</div>`)
  for (const name of ['h1', 'article', 'main'])
    assert.equal(
      left(`<div><${name}>Short</${name}>${field}</div>${TEXT}`),
      `<div><${name}>Short</${name}></div>${TEXT}`,
    )
})

it('a page that is little more than the box keeps it', () => {
  const page =
    '<div><p>Write to us, and we shall answer within three days.</p><form><p>Your name and your question.</p><input type="email"></form></div>'
  assert.match(left(page), /within three days/)
})

it('other fields say nothing about their box', () => {
  const page = `<div><h3>Find a tour</h3><form><input type="search" name="q"></form></div>${TEXT}`
  assert.equal(left(page), page)
})
