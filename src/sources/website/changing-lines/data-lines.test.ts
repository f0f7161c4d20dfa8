import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PARAGRAPHS } from '../../../../test/support/sample-pages.ts'
import { readPage } from '../read-page.ts'

const textOf = (body: string): string =>
  readPage(new TextEncoder().encode(`<title>Page</title><body>${body}</body>`), {
    url: 'https://example.org/a',
    contentType: 'text/html',
  }).text
const [FIRST, ...REST] = PARAGRAPHS.map((text) => `<p>${text}</p>`)
const inArticle = (html: string): string => `<article><h1>Page</h1>${FIRST}${html}${REST.join('')}</article>`
const atEnd = (html: string): string => `<article><h1>Page</h1>${FIRST}${REST.join('')}${html}</article>`

describe('a changed number, time or date changes the text', () => {
  const changes: [where: string, html: (value: string) => string, one: string, other: string][] = [
    [
      'in opening hours',
      (value) => `<ul><li>Monday: 9:00 – ${value}</li><li>Sunday: closed</li></ul>`,
      '17:00',
      '18:00',
    ],
    [
      'in the days of several events',
      (value) =>
        ['Organ concert', 'Flea market', 'Reading']
          .map(
            (name, index) =>
              `<h3><a href="/${index}">${name}</a></h3><div>Fri, ${index + 6} March 2026, ${value}</div><div>Town hall</div>`,
          )
          .join(''),
      '19:30',
      '20:00',
    ],
    ['in opening hours with a stroke', (value) => `<p>9.30 A.M. / ${value} P.M.</p>`, '7.00', '8.00'],
    ['in opening hours of one line', (value) => `<p>Monday 9:00 - ${value}</p>`, '17:00', '18:00'],
    [
      'after a term',
      (value) => `<dl><dt>Monday</dt><dd>9:00 – ${value}</dd><dt>Sunday</dt><dd>closed</dd></dl>`,
      '17:00',
      '18:00',
    ],
    ['in a population', (value) => `<dl><dt>Population</dt><dd>${value}</dd></dl>`, '12,045', '12,046'],
    ['in a draw', (value) => `<h2>Winning numbers</h2><ul><li>7</li><li>${value}</li><li>22</li></ul>`, '13', '14'],
    [
      'in a draw on one line',
      (value) => `<h2>Winning numbers</h2><div><span>7</span> <span>${value}</span></div>`,
      '13',
      '14',
    ],
    ['on broken lines', (value) => `<p>7<br>13<br>${value}</p>`, '22', '23'],
    ['in an election', (value) => `<ul><li>1204 votes</li><li>${value}</li></ul>`, '1310 votes', '1311 votes'],
    ['in a league', (value) => `<dl><dt>Rovers</dt><dd>${value}</dd></dl>`, '12 points', '13 points'],
    [
      'under a heading',
      (value) => `<h2>When</h2><p>17 February 2026, ${value}</p><h2>Where</h2><p>Town hall</p>`,
      '19:00',
      '20:00',
    ],
    [
      'in a list of dates',
      (value) => `<ul><li>3 March 2026, 19:00</li><li>${value}</li></ul>`,
      '4 March 2026, 19:00',
      '5 March 2026, 19:00',
    ],
    [
      'on cards',
      (value) => `<div><div>Ferries</div><div>1,204</div></div><div><div>Trains</div><div>${value}</div></div>`,
      '88',
      '89',
    ],
  ]
  for (const [where, html, one, other] of changes) {
    it(where, () => {
      for (const page of [inArticle, atEnd]) assert.notEqual(textOf(page(html(other))), textOf(page(html(one))))
    })
  }
})

it('a page of opening hours keeps every line', () => {
  const page =
    '<h1>Opening hours</h1><ul><li>Monday: 9:00 – 17:00</li><li>Tuesday: 9:00 – 17:00</li><li>Sunday: closed</li></ul>'
  assert.equal(textOf(page), 'Opening hours\n\nMonday: 9:00 – 17:00\nTuesday: 9:00 – 17:00\nSunday: closed')
})

it('a page with only a number or a date keeps it', () => {
  assert.equal(textOf('<p>42</p>'), '42')
  assert.equal(textOf('<p>10:32</p>'), '10:32')
  assert.equal(textOf('<h1>Next meeting</h1><p>17 February 2026, 19:00</p>'), 'Next meeting\n\n17 February 2026, 19:00')
})

describe('counters and timestamps are removed', () => {
  const noise = [
    '<ul><li>Share</li><li>1,204</li></ul>',
    '<ul><li><a href="/f">Facebook</a></li><li>12</li></ul>',
    '<ul><li>1,204 views</li><li>17</li></ul>',
    '<dl><dt>Views</dt><dd>1,204</dd></dl>',
    '<dl><dt>Updated</dt><dd>17 February 2026, 19:00</dd></dl>',
    '<h4>Comments</h4><p>17</p>',
    '<p>17</p>',
    '<p>17 February 2026, 19:00</p>',
    '<ul><li>Updated 17 February 2026, 19:00</li><li>3 min read</li></ul>',
  ]
  for (const html of noise)
    it(html, () => {
      for (const page of [inArticle, atEnd]) {
        assert.doesNotMatch(textOf(page(html)), /1,204|17|19:00|\b12\b/)
        assert.ok(PARAGRAPHS.every((text) => textOf(page(html)).includes(text)))
      }
    })

  it('also in lists between heading and text', () => {
    const lists = ['<ul><li>Jane Roe</li><li>17 February 2026, 19:00</li></ul>', '<ul><li>17</li><li>3</li></ul>']
    for (const list of lists)
      assert.equal(textOf(`<article><h1>Page</h1>${list}${FIRST}${REST.join('')}</article>`).includes('17'), false)
  })
})

it('chapters above the first paragraph keep their dates', () => {
  const page = `<main><h1>Page</h1><h2>When</h2><p>17 February 2026, 19:00</p><h2>Where</h2><p>Town hall</p>${FIRST}${REST.join('')}</main>`
  assert.ok(textOf(page).startsWith('When\n\n17 February 2026, 19:00\n\nWhere\n\nTown hall\n\n'))
})
