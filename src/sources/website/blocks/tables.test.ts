import assert from 'node:assert/strict'
import { it } from 'node:test'
import { PARAGRAPHS } from '../../../../test/support/sample-pages.ts'
import { readPage } from '../read-page.ts'

const textOf = (body: string): string =>
  readPage(new TextEncoder().encode(`<title>Page</title><body>${body}</body>`), {
    url: 'https://example.org/a',
    contentType: 'text/html',
  }).text
const [first = '', second = '', third = ''] = PARAGRAPHS

const laidOut = (changing: string, text = first): string =>
  `<table width="760"><tr><td><a href="1.htm">News</a></td><td><h1>Village news</h1><p>${text}</p><p>${second}</p>${changing}<p>${third}</p></td></tr></table>`

it('the text of a page with a table layout does not change with its counter and its clock', () => {
  const one = textOf(laidOut('<p>Counter: 12011</p><p>Updated 5 March 2026, 09:12</p>'))
  assert.equal(textOf(laidOut('<p>Counter: 12044</p><p>Updated 6 March 2026, 10:32</p>')), one)
  assert.notEqual(textOf(laidOut('<p>Counter: 12011</p>', `${first} More.`)), one)
})

const topics = (hours: number, replies: number): string => {
  const row = (topic: string): string =>
    `<tr><td><a href="/t">${topic}</a></td><td>${replies}</td><td>${hours} hours ago</td></tr>`
  return `<main><h1>Topics</h1><table>${['How do you store honey?', 'Bees in winter', 'Which gloves?'].map(row).join('')}</table></main>`
}

it('a cell with a relative time is left out of its row, a number is kept', () => {
  assert.equal(textOf(topics(3, 12)), textOf(topics(5, 12)))
  assert.notEqual(textOf(topics(3, 12)), textOf(topics(3, 13)))
})

const ranked = (points: number, hours: number): string => {
  const rows = (title: string): string =>
    `<tr><td>1.</td><td><a href="/x">${title}</a></td></tr><tr><td></td><td>${points} points by <a>bob</a> <a href="i">${hours} hours ago</a> | <a href="h">hide</a> | <a href="c">${points} comments</a></td></tr>`
  return `<center><table><tr><td><table>${['A tiny compiler', 'The history of the tram', 'Why I left'].map(rows).join('')}</table></td></tr></table></center>`
}

it('a row with only points, names and a relative time is removed', () => {
  assert.equal(textOf(ranked(103, 1)), textOf(ranked(110, 2)))
  assert.ok(textOf(ranked(103, 1)).includes('The history of the tram'))
})
