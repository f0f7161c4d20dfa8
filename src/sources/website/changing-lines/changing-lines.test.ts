import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { assertWithin } from '../../../../test/support/processor-time.ts'
import { containsDate, isChangingLine, isDateLine } from './changing-lines.ts'

it('a time alone on a line is a changing line, in many spellings', () => {
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
  for (const line of lines) assert.ok(isChangingLine(line), line)
})

it('a relative time is a changing line in many languages', () => {
  const lines = [
    ['3 saat önce', '3 godziny temu', 'för 3 timmar sedan', 'for 3 timer siden', '3 tuntia sitten', 'před 3 hodinami'],
    ['3 órája', 'acum 3 ore', 'πριν από 3 ώρες', '3 години тому', '3 часа назад', 'منذ 3 ساعات', 'منذ ساعتين'],
    ['3 ساعت پیش', 'לפני 3 שעות', 'לפני יומיים', '3 घंटे पहले', '3 ชั่วโมงที่แล้ว', '3 giờ trước', '3 jam yang lalu'],
    [
      '3시간 전',
      '3時間前',
      '3小时前',
      '3小時前',
      '3 uur geleden',
      'Asked 5 years, 1 month ago',
      'yesterday',
      'last week',
    ],
    ['user_17 2 days ago', 'ann 3 hours ago | next [–]', '4.1K views 10:05'],
  ].flat()
  for (const line of lines) assert.ok(isChangingLine(line), line)
})

it('a date with a label is a changing line in many languages', () => {
  const lines = [
    ['Son güncelleme: 3 Mart 2026 10:30', 'Ostatnia aktualizacja: 3 marca 2026', 'Uppdaterad 3 mars 2026 10:30'],
    ['Opdateret 3. marts 2026 kl. 10:30', 'Oppdatert 3. mars 2026', 'Päivitetty 3.3.2026 klo 10.30'],
    ['Aktualizováno 3. března 2026', 'Frissítve: 2026. március 3. 10:30', 'Actualizat: 3 martie 2026, 10:30'],
    [
      'Ενημερώθηκε: 3 Μαρτίου 2026',
      'Оновлено: 3 березня 2026',
      'آخر تحديث: 3 مارس 2026 - 10:30',
      'עודכן: 03.03.2026, 10:30',
    ],
    ['अपडेटेड: 3 मार्च 2026, 10:30', 'Cập nhật: 03/03/2026 10:30', 'Diperbarui: 3 Maret 2026 10:30'],
    [
      '업데이트 2026.03.03 10:30',
      '最後更新：2026/03/03 10:30',
      'Laatst bijgewerkt: 3 maart 2026',
      'Ultimo aggiornamento: 3 marzo 2026',
    ],
    ['Today is Monday, March 2, 2026'],
  ].flat()
  for (const line of lines) assert.ok(isChangingLine(line), line)
})

it('a counter is a changing line in many languages, whatever it counts', () => {
  const lines = [
    ['1.204 görüntüleme', '1204 wyświetleń', '1204 visningar', '12 kommenttia', '12 komentářů', '12 hozzászólás'],
    ['1204 vizualizări', '12 σχόλια', '1204 переглядів', '1204 مشاهدة', '12 تعليقات', '12 תגובות', '1204 lượt xem'],
    [
      '48 reviews',
      '4.7 out of 5 stars (48 ratings)',
      'Posts: 98',
      '4 answers',
      '37 applicants',
      '1,037 members • 9 online',
    ],
    ['Only 5 left in stock', '12,371 downloads this week', 'Join 12,371 other subscribers', '▲ 37', 'Cart (2)'],
    ['37 people are reading this article right now', 'Users browsing this forum: Bob and 7 guests', 'Counter: 12011'],
    ['Ends in 2d 5h 10m', '13 days left', 'Your IP address is 203.0.113.9', '· 21 commits to main since this release'],
  ].flat()
  for (const line of lines) assert.ok(isChangingLine(line), line)
})

it('a counter alone on a line is a changing line', () => {
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
  for (const line of lines) assert.ok(isChangingLine(line), line)
})

it('a line of such parts and names is a changing line', () => {
  for (const line of [
    'By Rosa Lindqvist | 5 minutes ago | 3 min read',
    'Politics · 12 comments',
    'Rosa Lindqvist — Updated 10:32',
  ]) {
    assert.ok(isChangingLine(line), line)
  }
})

it('a line that an author writes is not a changing line', () => {
  const lines = [
    '1931 – 2026',
    '2 - 1',
    'He came back 3 years later.',
    'Only 5 of them came',
    'The last week of summer',
    'Members of the board',
    'For 3 days nobody came',
    'Reviews of the year',
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
  for (const line of lines) assert.ok(!isChangingLine(line), line)
})

it('a date alone is a date line, a sentence with a date is not', () => {
  for (const line of ['March 5, 2024', '2024-03-05', '5. März 2024', '20 November 2019'])
    assert.ok(isDateLine(line), line)
  for (const line of ['In March 2024 it rained', 'Room 12', '']) assert.ok(!isDateLine(line), line)
  assert.ok(containsDate('By Rosa - 11/18/19 11:04 PM EST'))
  assert.ok(!containsDate('By Rosa and 12 others'))
})

it('the rules are fast on lines made to be slow', async () => {
  const parts = fc.array(fc.constantFrom('1', ' ', 'a', 'min', '.', ',', '-', ' | ', 'Mar', ':'), { maxLength: 90 })
  await assertWithin(5_000, () =>
    fc.assert(
      fc.property(parts, (pieces) => typeof isChangingLine(pieces.join('')) === 'boolean'),
      { numRuns: 500 },
    ),
  )
})
