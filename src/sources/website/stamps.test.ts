import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { bearsDate, isDateLine, isVolatile } from './stamps.ts'

it('a moment on a line of its own is volatile, in many spellings', () => {
  const lines = [
    [
      '5 minutes ago',
      'Updated: 2 hrs ago',
      'an hour ago',
      'Just now',
      '3d ago',
      'Last updated 4 days ago',
      'Published about 1 hour ago',
      'Published3 hours ago',
      'two hours ago',
      'less than a minute ago',
      'Jane Roe 3 hours ago',
      'By Jane Roe, 3 hours ago',
      'submitted 3 hours ago by bob',
      'Posted by bob 3 hours ago',
      '120 points by bob 3 hours ago | hide | 45 comments',
    ],
    [
      'vor 5 Minuten',
      'Aktualisiert vor einer Stunde',
      'il y a 3 heures',
      'hace 20 minutos',
      'há 2 horas',
      '3 ore fa',
      '5 минут назад',
      '5分前',
    ],
    [
      'Updated 10:32',
      'Updated 10:32 AM EST',
      'Published November 20th, 2019 - 07:29 GMT',
      'Stand: 05.03.2024, 20:15 Uhr',
      'Nov. 20, 2019, 9:28 AM UTC',
      'Stand: 17.02.2026 10:32 Uhr | Lesedauer: 3 Min.',
      'This page was last edited on 17 February 2026, at 10:32 (UTC).',
    ],
    [
      'segunda-feira, 22 de janeiro de 2018 às 0:13',
      'Mis à jour le 3 mars 2024 à 10h32',
      'Veröffentlicht am 3. März 2024',
      'First Published: Tuesday, November 19, 2019 08:38 AM',
    ],
  ].flat()
  for (const line of lines) assert.ok(isVolatile(line), line)
})

it('a counter on a line of its own is volatile', () => {
  const lines = [
    '1,204 views',
    '2.4k shares',
    '0 Comments',
    'No comments',
    'Comments (12)',
    'Views: 98 731',
    '42',
    '3 min read',
    'Lesezeit: 4 Min.',
    '12 Kommentare',
    '3.409',
    'Viewed 1,204 times',
    '17 people are reading this',
    '12 people like this',
    'Hits: 1204',
    '👁 1204',
    '阅读 1204',
    '浏览次数：1204',
    'Rating: 4.5 (120 votes)',
    'LIVE 1204 watching',
    'You are visitor number 001204',
    'Page generated in 0.0123 seconds',
    'Offer ends in 02:13:22',
  ]
  for (const line of lines) assert.ok(isVolatile(line), line)
})

it('a line made of such parts and names is volatile as a whole', () => {
  for (const line of [
    'By Rosa Lindqvist | 5 minutes ago | 3 min read',
    'Politics · 12 comments',
    'Rosa Lindqvist — Updated 10:32',
  ]) {
    assert.ok(isVolatile(line), line)
  }
})

it('what an author writes is not', () => {
  const lines = [
    'It was built two hundred years ago, and it shows.',
    'The vote took place on 5 March 2024.',
    'November 2019',
    'Chapter 42',
    'He had 1,204 views on the matter, most of them loud.',
    'At 10:32 the train left.',
    'Comments are welcome.',
    'Six people, 1984 and a goat',
    'May the best win',
    'The bridge fell two hours ago, and nobody was on it',
    'Monday 9:00 – 17:00',
    'Rating: 4 of 5',
    'This page was written by the light of a candle',
    'Six days ago the river rose',
  ]
  for (const line of lines) assert.ok(!isVolatile(line), line)
})

it('a date alone is a date line, a sentence with a date is not', () => {
  for (const line of ['March 5, 2024', '2024-03-05', '5. März 2024', '20 November 2019'])
    assert.ok(isDateLine(line), line)
  for (const line of ['In March 2024 it rained', 'Room 12', '']) assert.ok(!isDateLine(line), line)
  assert.ok(bearsDate('By Rosa - 11/18/19 11:04 PM EST'))
  assert.ok(!bearsDate('By Rosa and 12 others'))
})

it('judging is quick on lines made to mislead', () => {
  const parts = fc.array(fc.constantFrom('1', ' ', 'a', 'min', '.', ',', '-', ' | ', 'Mar', ':'), { maxLength: 90 })
  const before = process.cpuUsage()
  fc.assert(
    fc.property(parts, (pieces) => typeof isVolatile(pieces.join('')) === 'boolean'),
    { numRuns: 500 },
  )
  assert.ok(process.cpuUsage(before).user < 5_000_000)
})
