import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PARAGRAPHS } from '../../../test/support/sample-pages.ts'
import { readPage } from './read-page.ts'

const textOf = (article: string): string =>
  readPage(new TextEncoder().encode(`<title>Page</title><body><article><h1>Page</h1>${article}</article></body>`), {
    url: 'https://example.org/a',
    contentType: 'text/html',
  }).text
const TEXT = PARAGRAPHS.map((text) => `<p>${text}</p>`)
const amid = (html: string): string => textOf(`${TEXT.slice(0, 2).join('')}${html}${TEXT.slice(2).join('')}`)
const atEnd = (html: string): string => textOf(`${TEXT.join('')}${html}`)

describe('the last lines of a text stay', () => {
  const endings = [
    '<p>To be continued</p>',
    '<p>— The Editors</p>',
    '<p>Contact: press@example.org</p>',
    '<p>and miles to go<br>before I sleep</p>',
    '<p><a href="https://example.org/r.pdf">Download the full report (PDF)</a></p>',
  ]
  for (const html of endings)
    it(html, () => {
      const line = html.replace(/<br>/, '\n').replace(/<[^>]*>/g, '')
      assert.ok(atEnd(html).endsWith(`\n\n${line}`))
    })

  it('and boilerplate after them is removed', () => {
    const whole = PARAGRAPHS.join('\n\n')
    for (const html of [
      '<p>Politics</p>',
      '<p>Rosa Lindqvist</p>',
      '<p><a href="/t">The harbour</a></p>',
      '<h4>Topics</h4>',
      '<p>Share</p>',
      '<p>By Rosa Lindqvist</p>',
    ])
      assert.equal(atEnd(html), whole, html)
  })
})

describe('words that sites also use as labels stay', () => {
  const sentences = [
    'Copyright law is about who may copy a text, and when, and for what price it may be done.',
    'We use cookies in the bakery as gifts, said the baker, who has made them for forty years now.',
  ]
  for (const line of sentences) it(line, () => assert.ok(amid(`<p>${line}</p>`).includes(line)))

  it('in a list after a line that ends with a colon', () => {
    const list = '<ul><li>Save</li><li>Print</li><li>Close</li><li>Search</li></ul>'
    assert.match(amid(`<p>The File menu has these commands:</p>${list}`), /commands:\n\nSave\nPrint\nClose\nSearch\n/)
    assert.doesNotMatch(amid(`<p>Share this:</p>${list}`), /Save|Print/)
    assert.doesNotMatch(amid(list), /Save|Print/)
  })

  it('in a list of other words', () => {
    const list = '<ul><li>Acme</li><li>Facebook</li><li>Initech</li><li>Globex</li></ul>'
    assert.match(amid(list), /Acme\nFacebook\nInitech\nGlobex/)
  })

  it('as headings above a text of the article', () => {
    const chapters =
      '<h2>Comments</h2><p>A comment starts with a hash sign.</p><h2>Tags</h2><p>A tag begins with a bracket.</p><h2>Video</h2><p>Short line here.</p>'
    const text = amid(chapters)
    for (const heading of ['Comments', 'Tags', 'Video']) assert.match(text, new RegExp(`\n\n${heading}\n\n`))
  })
})

it('notices and copyright lines are removed', () => {
  const lines = [
    'We use cookies.',
    'We use cookies to give you the best experience on our site. Read our policy.',
    'We and our 12 partners store cookies on your device to personalise what you see and to measure it.',
    'Copyright 2026 The Courier',
    'Copyright © The Courier. No part of this may be copied without leave.',
    'Copyright The Courier',
  ]
  for (const line of lines) assert.equal(amid(`<p>${line}</p>`), PARAGRAPHS.join('\n\n'), line)
})
