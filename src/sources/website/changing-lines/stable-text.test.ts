import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { barePage, listPage, type Moving, newsPage, PARAGRAPHS, QUIET } from '../fixtures/sample-pages.ts'
import { readPage } from '../read-page.ts'

const hash = (html: string): string => {
  const { text } = readPage(new TextEncoder().encode(html), { url: 'https://example.org/a', contentType: 'text/html' })
  return createHash('sha256').update(text).digest('hex')
}

const MOVES: { what: string; change: Partial<Moving> }[] = [
  { what: 'a relative time', change: { stamp: '3 hours ago' } },
  { what: 'an "updated" time', change: { stamp: 'Updated 10:32' } },
  { what: 'a full date line', change: { stamp: 'Last updated: Tuesday, March 5, 2024 at 8:15 PM CET' } },
  { what: 'a date line in German', change: { stamp: 'Aktualisiert am 5. März 2024, 20:15 Uhr' } },
  { what: 'a stamp with a name', change: { stamp: 'Last updated: 5 March 2024, 20:15 by the editors' } },
  { what: 'a byline with time and reading time', change: { stamp: 'Rosa Lindqvist | 2 hours ago | 3 min read' } },
  { what: 'a relative time in words', change: { stamp: 'less than a minute ago' } },
  { what: 'a time glued to its label', change: { stamp: '<span>Published</span><span>3 hours ago</span>' } },
  { what: 'a relative time after a name', change: { stamp: 'Jane Roe two hours ago' } },
  { what: 'how forums head a post', change: { stamp: '120 points by bob 3 hours ago | hide | 45 comments' } },
  { what: 'a short relative time', change: { stamp: 'bob <time>3h</time>' } },
  {
    what: 'a stamp with a reading time in German',
    change: { stamp: 'Stand: 17.02.2026 10:32 Uhr | Lesedauer: 3 Min.' },
  },
  {
    what: 'a relative time between other words',
    change: { stamp: 'From our office in Lund, <time>3 hours ago</time>' },
  },
  { what: 'a counter in Chinese', change: { views: '浏览次数：1204' } },
  { what: 'a rating', change: { views: 'Rating: 4.5 (120 votes)' } },
  { what: 'a paywall counter', change: { views: 'You have 2 free articles left this month' } },
  { what: 'a view counter', change: { views: '98,731 views' } },
  { what: 'a share counter', change: { shares: '2.4k shares' } },
  { what: 'a comment counter', change: { comments: '118 Comments' } },
  { what: 'an advertisement', change: { ad: 'The new estate car. From 199 a month, no deposit.' } },
  { what: 'a related list', change: { related: ['Ferry timetable changes', 'Snow expected', 'A third story'] } },
  { what: 'a CSRF token', change: { token: 'ffffffffffff' } },
  { what: 'a cookie banner', change: { banner: 'Your privacy matters. Manage choices or accept.' } },
  { what: 'a session id in links', change: { session: 'sid-999' } },
  { what: 'a newsletter box', change: { newsletter: 'Subscribe to our weekend newsletter' } },
]

describe('the text of a page with one article', () => {
  it('is the article though something longer stands beside it', () => {
    const page = (other: string): string =>
      hash(`<article><h1>News</h1><p>Short article text.</p></article><div class="sidebar">${other}</div>`)
    assert.equal(page('It rained on forty days this spring.'), page('A cat won the annual fishing match.'))
  })

  const beside: { where: string; page: (article: string, other: string) => string }[] = [
    { where: 'behind it', page: (article, other) => `${article}<div><p>${other}</p></div>` },
    { where: 'before it', page: (article, other) => `<div>${other}</div>${article}` },
    {
      where: 'in another column',
      page: (article, other) => `<div id="left">${other}</div><div id="right">${article}</div>`,
    },
    {
      where: 'under a heading of the site',
      page: (article, other) => `<header><h1>Site</h1></header>${article}<p>${other}</p>`,
    },
  ]
  const said = 'The ferry will run every hour from May on, the town council has decided. '
  for (const { where, page } of beside) {
    for (const times of [1, 3, 12]) {
      it(`stays when a sentence ${where} changes, for ${times * said.length} characters of it`, () => {
        const article = `<article><h2>Ferry</h2><p>${said.repeat(times)}</p></article>`
        const hashWith = (other: string): string => hash(`<html><body>${page(article, other)}</body></html>`)
        assert.equal(hashWith('It rained on forty days this spring.'), hashWith('A cat won the annual fishing match.'))
        const edited = article.replace('every hour', 'twice an hour')
        assert.notEqual(hash(`<html><body>${page(edited, 'It rained.')}</body></html>`), hashWith('It rained.'))
      })
    }
  }
})

for (const [shape, page] of [
  ['a news page', newsPage],
  ['a page without class names', barePage],
] as const) {
  describe(`the text of ${shape}`, () => {
    for (const { what, change } of MOVES) {
      it(`stays when ${what} changes`, () => {
        assert.equal(hash(page({ ...QUIET, ...change })), hash(page()))
      })

      it(`changes with the article, also while ${what} changes`, () => {
        const edited = PARAGRAPHS.with(2, `${PARAGRAPHS[2]} She smiled.`)
        assert.notEqual(hash(page({ ...QUIET, ...change }, edited)), hash(page()))
      })
    }

    it('changes when a paragraph is added, removed or moved, or one word is another', () => {
      const whole = hash(page())
      const [first = '', second = '', ...rest] = PARAGRAPHS
      const edits = [
        [
          ...PARAGRAPHS,
          'The vote was nine to four, with two members absent and one abstaining for reasons of kinship.',
        ],
        PARAGRAPHS.slice(0, -1),
        [second, first, ...rest],
        [first.replace('Tuesday', 'Monday'), second, ...rest],
      ]
      for (const texts of edits) assert.notEqual(hash(page(QUIET, texts)), whole)
    })
  })
}

it('indentation and markup that shows nothing do not change the text', () => {
  const tight = newsPage()
  const loose = tight
    .replaceAll('<p>', '\n\n\t <p>\n   ')
    .replaceAll(' the ', '\n the \u200b')
    .replace('<main>', '<!-- built 10:32 --><main>')
  assert.equal(hash(loose), hash(tight))
})

it('a list page changes when an entry is added', () => {
  const titles = ['Release 1.2 with faster start', 'Release 1.1 with fewer bugs', 'Release 1.0']
  assert.notEqual(hash(listPage(['Release 1.3 with a new name', ...titles])), hash(listPage(titles)))
})
