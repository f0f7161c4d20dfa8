import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import {
  barePage,
  type ChangingParts,
  FIRST_VISIT,
  listPage,
  newsPage,
  PARAGRAPHS,
} from '../../../../test/support/sample-pages.ts'
import { readPage } from '../read-page.ts'

const hash = (html: string): string => {
  const { text } = readPage(new TextEncoder().encode(html), { url: 'https://example.org/a', contentType: 'text/html' })
  return createHash('sha256').update(text).digest('hex')
}

const CHANGES: { what: string; change: Partial<ChangingParts> }[] = [
  { what: 'a relative time', change: { timestamp: '3 hours ago' } },
  { what: 'an "updated" time', change: { timestamp: 'Updated 10:32' } },
  { what: 'a full date line', change: { timestamp: 'Last updated: Tuesday, March 5, 2024 at 8:15 PM CET' } },
  { what: 'a date line in German', change: { timestamp: 'Aktualisiert am 5. März 2024, 20:15 Uhr' } },
  { what: 'a timestamp with a name', change: { timestamp: 'Last updated: 5 March 2024, 20:15 by the editors' } },
  { what: 'a byline with time and reading time', change: { timestamp: 'Rosa Lindqvist | 2 hours ago | 3 min read' } },
  { what: 'a relative time in words', change: { timestamp: 'less than a minute ago' } },
  { what: 'a time glued to its label', change: { timestamp: '<span>Published</span><span>3 hours ago</span>' } },
  { what: 'a relative time after a name', change: { timestamp: 'Jane Roe two hours ago' } },
  {
    what: 'the first line of a forum post',
    change: { timestamp: '120 points by bob 3 hours ago | hide | 45 comments' },
  },
  { what: 'a short relative time', change: { timestamp: 'bob <time>3h</time>' } },
  {
    what: 'a timestamp with a reading time in German',
    change: { timestamp: 'Stand: 17.02.2026 10:32 Uhr | Lesedauer: 3 Min.' },
  },
  {
    what: 'a relative time between other words',
    change: { timestamp: 'From our office in Lund, <time>3 hours ago</time>' },
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
  it('is the article even if something next to it is longer', () => {
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
  const sentence = 'The ferry will run every hour from May on, the town council has decided. '
  for (const { where, page } of beside) {
    for (const times of [1, 3, 12]) {
      it(`of ${times * sentence.length} characters stays the same when a sentence ${where} changes`, () => {
        const article = `<article><h2>Ferry</h2><p>${sentence.repeat(times)}</p></article>`
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
    for (const { what, change } of CHANGES) {
      it(`stays the same when ${what} changes`, () => {
        assert.equal(hash(page({ ...FIRST_VISIT, ...change })), hash(page()))
      })

      it(`changes with the article, even if ${what} changes too`, () => {
        const edited = PARAGRAPHS.with(2, `${PARAGRAPHS[2]} She smiled.`)
        assert.notEqual(hash(page({ ...FIRST_VISIT, ...change }, edited)), hash(page()))
      })
    }

    it('changes when a paragraph is added, removed or moved, or when one word changes', () => {
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
      for (const texts of edits) assert.notEqual(hash(page(FIRST_VISIT, texts)), whole)
    })
  })
}

it('indentation and invisible markup do not change the text', () => {
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
