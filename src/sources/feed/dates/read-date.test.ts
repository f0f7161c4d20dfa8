import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import fc from 'fast-check'
import { readDate } from './read-date.ts'

const iso = (written: string) => {
  const instant = readDate(written)
  return instant === null ? null : new Date(instant).toISOString().replace(/:00\.000Z$|\.000Z$/, 'Z')
}

const kinds: Record<string, [written: string, instant: string | null][]> = {
  'RFC 822, with all its liberties': [
    ['Wed, 07 Oct 2026 16:05:00 GMT', '2026-10-07T16:05Z'],
    ['7 Oct 2026 16:05 UT', '2026-10-07T16:05Z'],
    ['Wed,7 October 26 16:05:09 +0200', '2026-10-07T14:05:09Z'],
    ['Wednesday, Oct 7 2026 4:05 PM', '2026-10-07T16:05Z'],
    ['wed, 07 oct 2026 16:05:00 -07', '2026-10-07T23:05Z'],
    ['Wed, 07 Oct 2026 16:05:00 GMT+02:00', '2026-10-07T14:05Z'],
    ['Wed, 07 Oct 2026 16:05:00 +0200 (CEST)', '2026-10-07T14:05Z'],
    ['Wed, 7th Oct 2026 16:05:00 Z', '2026-10-07T16:05Z'],
    ['Wed, 07 Oct 94 16:05:00 GMT', '1994-10-07T16:05Z'],
    ['Wed Oct  7 16:05:00 2026', '2026-10-07T16:05Z'],
    ['Wed Oct 7 16:05:00 PDT 2026', '2026-10-07T23:05Z'],
    ['Wednesday, 07-Oct-26 16:05:00 EST', '2026-10-07T21:05Z'],
    ['Wed, 07 Oct 2026 16:05:00 + 0200', '2026-10-07T14:05Z'],
    ['Wed, 07 Oct 2026 16.05.09 GMT', '2026-10-07T16:05:09Z'],
    ['7 Oct 2026 9.05', '2026-10-07T09:05Z'],
    ['Wed, 07 Oct 2026 16:05:00 0000', '2026-10-07T16:05Z'],
    ['Wed, 07 Oct 2026 16:05:00 –0200', '2026-10-07T18:05Z'],
  ],
  'the time before the date': [
    ['10:05 7 October 2026', '2026-10-07T10:05Z'],
    ['10:05 AM, October 7, 2026', '2026-10-07T10:05Z'],
    ['4:05 PM ET, Wednesday, October 7th, 2026', '2026-10-07T20:05Z'],
    ['16:05 CEST 7 October 2026', '2026-10-07T14:05Z'],
  ],
  'an hour alone, where a zone says that it is one': [
    ['2026-10-07T16Z', '2026-10-07T16:00Z'],
    ['2026-10-07T16+02:00', '2026-10-07T14:00Z'],
    ['2026-10-07T16', null],
  ],
  'months that no locale of the Latin alphabet has': [
    ['Mi, 07 Mrz 2026 16:05:00 +0100', '2026-03-07T15:05Z'],
    ['الأربعاء, 07 أكتوبر 2026 16:05:00 +0000', '2026-10-07T16:05Z'],
    ['7 אוקטובר 2026', '2026-10-07T00:00Z'],
  ],
  'a wrong name of the day changes nothing': [['Sun, 07 Oct 2026 16:05:00 GMT', '2026-10-07T16:05Z']],
  'abbreviated and named zones': [
    ['Wed, 07 Oct 2026 16:05:00 EDT', '2026-10-07T20:05Z'],
    ['Wed, 07 Oct 2026 16:05:00 CEST', '2026-10-07T14:05Z'],
    ['Wed, 7 October 2026 16:05:00 ET', '2026-10-07T20:05Z'],
    ['Wed,  7 Jan 2026 16:05:00 ET', '2026-01-07T21:05Z'],
    ['Wed,  7 Oct 2026 16:05:00 +0200', '2026-10-07T14:05Z'],
    ['Wed, 07 Oct 2026 16:05:00 IST', '2026-10-07T10:35Z'],
    ['Wed, 07 Oct 2026 16:05:00 ET', '2026-10-07T20:05Z'],
    ['Thu, 07 Jan 2026 16:05:00 ET', '2026-01-07T21:05Z'],
    ['Wed, 07 Oct 2026 16:05:00 Etc/UTC', '2026-10-07T16:05Z'],
    ['Wed, 07 Oct 2026 16:05:00 Europe/Vienna', '2026-10-07T14:05Z'],
    ['2026-10-07T16:05:00+02:00[Europe/Vienna]', '2026-10-07T14:05Z'],
    ['Wed, 07 Oct 2026 16:05:00 QQQ', '2026-10-07T16:05Z'],
  ],
  'no zone means UTC': [
    ['2026-10-07 16:05:09', '2026-10-07T16:05:09Z'],
    ['Wed, 07 Oct 2026 16:05:00', '2026-10-07T16:05Z'],
    ['October 7, 2026', '2026-10-07T00:00Z'],
  ],
  'ISO 8601, short, long and run together': [
    ['2026-10-07T16:05:09.25+02:00', '2026-10-07T14:05:09.250Z'],
    ['2026-10-07T16:05Z', '2026-10-07T16:05Z'],
    ['20261007T160509Z', '2026-10-07T16:05:09Z'],
    ['2026-280', '2026-10-07T00:00Z'],
    ['261007', '2026-10-07T00:00Z'],
    ['2026-10', '2026-10-01T00:00Z'],
    ['2026', '2026-01-01T00:00Z'],
    ['2026/10/07', '2026-10-07T00:00Z'],
    ['2026-10-07T24:00:00Z', '2026-10-08T00:00Z'],
    ['2026-10-07T16:05:09:-0200', '2026-10-07T18:05:09Z'],
    ['20261007160509', '2026-10-07T16:05:09Z'],
    ['202610071605', '2026-10-07T16:05Z'],
    ['2026-10-07+02:00', '2026-10-06T22:00Z'],
    ['2026-10-07T', '2026-10-07T00:00Z'],
  ],
  'numbers in any order, the day told by what can be told': [
    ['25/12/2026', '2026-12-25T00:00Z'],
    ['12/25/2026 3:04 pm', '2026-12-25T15:04Z'],
    ['03.04.2026 10:00', '2026-04-03T10:00Z'],
    ['Fri, 03/04/2026', '2026-04-03T00:00Z'],
    ['Wed, 03/04/2026', '2026-03-04T00:00Z'],
    ['3/4/2026 5:06 PM EST', '2026-03-04T22:06Z'],
    ['10:00 03.04.2026 +0100', '2026-04-03T09:00Z'],
  ],
  'Greek, Hungarian, Korean and others': [
    ['Τετ, 07 Οκτ 2026 16:05:00 EST', '2026-10-07T21:05Z'],
    ['2026-október-7T9:05+02:00', '2026-10-07T07:05Z'],
    ['2026-10-07 오후 4:05:09', '2026-10-07T07:05:09Z'],
    ['2026년 10월 7일 오후 12:05', '2026-10-07T03:05Z'],
    ['2026년 10월 7일 오전 12:05', '2026-10-06T15:05Z'],
    ['2026-01-13(화) 18:05', '2026-01-13T09:05Z'],
    ['2026.01.13 (화) 18:05', '2026-01-13T09:05Z'],
    ['2026-01-13(화) 18:05 +0000', '2026-01-13T18:05Z'],
    ['2026-01-13(火) 18:05', '2026-01-13T18:05Z'],
    ['2026年10月7日 下午4时05分', '2026-10-07T16:05Z'],
    ['2026年10月7日中午 11:05', '2026-10-07T11:05Z'],
    ['2026년 10월 07일 16:05:09', '2026-10-07T07:05:09Z'],
    ['Mi, 07 Okt 2026 16:05:00 +0200', '2026-10-07T14:05Z'],
    ['mar., 06 oct. 2026 16:05:00 +0200', '2026-10-06T14:05Z'],
    ['sam., 01 août 2026 16:05', '2026-08-01T16:05Z'],
    ['7 de octubre de 2026', '2026-10-07T00:00Z'],
    ['Ср, 07 окт 2026 16:05:00 +0300', '2026-10-07T13:05Z'],
    ['2026年10月7日 16時05分', '2026-10-07T16:05Z'],
    ['2026년 10월 07일', '2026-10-06T15:00Z'],
    ['水, 07 10月 2026 16:05:00 +0900', '2026-10-07T07:05Z'],
    ['星期三, 07 十月 2026 16:05:00 +0800', '2026-10-07T08:05Z'],
    ['三, 07 十一月 2026 16:05:00 +0800', '2026-11-07T08:05Z'],
    ['수, 07 10월 2026 16:05:00 +0900', '2026-10-07T07:05Z'],
    ['Wed, 07 1月 2026 16:05:00 GMT', '2026-01-07T16:05Z'],
    ['الأربعاء, ٠٧ أكتوبر ٢٠٢٦ ١٦:٠٥:٠٠ +٠٢٠٠', '2026-10-07T14:05Z'],
    ['Quarta-feira, 7 de outubro de 2026 às 16:05h', '2026-10-07T16:05Z'],
    ['ke 7.10.2026 klo 16.05', '2026-10-07T16:05Z'],
    ['7 października 2026 r.', '2026-10-07T00:00Z'],
  ],
  'seconds and milliseconds since 1970': [
    ['1791389100', '2026-10-07T16:05Z'],
    ['1791389100000', '2026-10-07T16:05Z'],
    ['1791389100000000', '2026-10-07T16:05Z'],
    ['1791389100.25', '2026-10-07T16:05:00.250Z'],
    ['@1791389100', '2026-10-07T16:05Z'],
  ],
  'weeks of ISO 8601, which may begin in the year before': [
    ['2026-W05-3', '2026-01-28T00:00Z'],
    ['2026W053', '2026-01-28T00:00Z'],
    ['2026-W05', '2026-01-26T00:00Z'],
    ['2026-W01-1', '2025-12-29T00:00Z'],
    ['2026-W53-5', '2027-01-01T00:00Z'],
    ['2026-W05-3T08:30:00Z', '2026-01-28T08:30Z'],
    ['2026W053T083000+0200', '2026-01-28T06:30Z'],
    ['2025-W53-1', null],
    ['2026-W00-1', null],
    ['2026-W05-8', null],
  ],
  'what programs print': [
    ['Tue Sep 01 2026 08:30:00 GMT+0200 (Mitteleuropäische Sommerzeit)', '2026-09-01T06:30Z'],
    ['Tue Sep 1 08:30:00 CEST 2026', '2026-09-01T06:30Z'],
    ['Tuesday, 01-Sep-26 08:30:00 GMT', '2026-09-01T08:30Z'],
    ['[01/Sep/2026:08:30:00 +0200]', '2026-09-01T06:30Z'],
    ['2026-09-01 08:30:00.123456789 +0200 CEST', '2026-09-01T06:30:00.123Z'],
    ['2026-09-01T0830Z', '2026-09-01T08:30Z'],
    ['20260901083000+0200', '2026-09-01T06:30Z'],
    ['2026-09-01_08:30:00', '2026-09-01T08:30Z'],
    ['Sep 1, 2026, 8:30:00\u202fPM', '2026-09-01T20:30Z'],
    ['\u200e1\u200f/\u200e9\u200f/\u200e2026', '2026-09-01T00:00Z'],
    ['２０２６-09-01', '2026-09-01T00:00Z'],
    ['/Date(1700000000000+0200)/', '2023-11-14T22:13:20Z'],
    ['\\/Date(1700000000000)\\/', '2023-11-14T22:13:20Z'],
  ],
  'times as people write them': [
    ['1 September 2026 at 8.30pm BST', '2026-09-01T19:30Z'],
    ['Sept. 1, 2026, 8:30 a.m. ET', '2026-09-01T12:30Z'],
    ['Tue, 01 Sep 2026, 8 p.m. PDT', '2026-09-02T03:00Z'],
    ['Tue, 01 Sep 2026 0830 EST', '2026-09-01T13:30Z'],
    ['Tue, 01 Sep 2026 083009 GMT', '2026-09-01T08:30:09Z'],
    ['martes, septiembre 1, 2026 - 08:30', '2026-09-01T08:30Z'],
    ['1 de setiembre de 2026', '2026-09-01T00:00Z'],
    ['Κυριακή, 1 Φεβρουάριος 2026 08:30', '2026-02-01T08:30Z'],
    ['Minggu, 1 Nopember 2026 08:30 WIB', '2026-11-01T01:30Z'],
    ['01.09.2026 - 08:30 Uhr', '2026-09-01T08:30Z'],
    ['2026-09-01 08.30', '2026-09-01T08:30Z'],
    ['2026-09-01 - 08:30', '2026-09-01T08:30Z'],
    ['01/09/2026 à 8h', '2026-09-01T08:00Z'],
    ['Tue, 1 Sep 2026 8:30:5 -0700 (PDT)', '2026-09-01T15:30:05Z'],
    ['Updated: Tue, 01 Sep 2026 08:30:00 GMT', '2026-09-01T08:30Z'],
  ],
  'zones twice, in brackets and by their whole names': [
    ['Tue, 01 Sep 2026 08:30:00 +0000 GMT', '2026-09-01T08:30Z'],
    ['2026-09-01T08:30:00Z+02:00', '2026-09-01T06:30Z'],
    ['2026-09-01T08:30:00+2', '2026-09-01T06:30Z'],
    ['2026-09-01T08:30:00\u221202:00', '2026-09-01T10:30Z'],
    ['Tue, 01 Sep 2026 08:30:00 (GMT+2)', '2026-09-01T06:30Z'],
    ['Tue, 01 Sep 2026 08:30:00 (EST)', '2026-09-01T13:30Z'],
    ['2026-09-01T08:30:00[Europe/Vienna]', '2026-09-01T06:30Z'],
    ['Tue, 01 Sep 2026 08:30:00 EST5EDT', '2026-09-01T12:30Z'],
    ['Tuesday, September 1, 2026 at 8:30:00 AM Pacific Daylight Time', '2026-09-01T15:30Z'],
    ['Tue, 01 Sep 2026 08:30:00 Eastern', '2026-09-01T12:30Z'],
    ['Tue, 01 Sep 2026 08:30:00 VLAT', '2026-08-31T22:30Z'],
    ['Tue, 01 Sep 2026 08:30:00 COT', '2026-09-01T13:30Z'],
    ['1 Sep, 2026 08:30 hrs IST', '2026-09-01T03:00Z'],
  ],
  'quotes, points and tags around a date change nothing': [
    ['"1 Sep 2026"', '2026-09-01T00:00Z'],
    ["'2026-09-01T08:30:00Z'", '2026-09-01T08:30Z'],
    ['Tue, 01 Sep 2026 08:30:00 GMT.', '2026-09-01T08:30Z'],
    ['2026-09-01T08:30:00Z.', '2026-09-01T08:30Z'],
    ['1 Sep 2026,', '2026-09-01T00:00Z'],
    ['<b>1 Sep 2026</b>', '2026-09-01T00:00Z'],
    ['<time>2026-09-01T08:30:00Z</time>', '2026-09-01T08:30Z'],
  ],
  'phone numbers, versions, prices and titles are no dates': [
    ['+1 (555) 123-4567', null],
    ['+49 30 123456', null],
    ['030 12 34 56', null],
    ['555-1234', null],
    ['1.2.3', null],
    ['v1.2.3', null],
    ['24.04.1', null],
    ['10.0.0.1', null],
    ['$12.99', null],
    ['1,234.56 EUR', null],
    ['Chapter 5, 2020 words', null],
    ['1.10.2020 words', null],
    ['99 Luftballons 1983', null],
    ['Season 1 Episode 5 2020', null],
    ['ISBN 978-3-16-148410-0', null],
    ['https://example.org/2026/09/01', null],
    ['5 marbles 2020', null],
    ['1 day ago 2026', null],
    ['5 hours ago', null],
    ['Sun, Dec x 2012 11:47:32 GMT', null],
  ],
  'characters of two halves, widths, circles and marks of their own are read for what they show': [
    ['📅 5 Jan 2020', '2020-01-05T00:00Z'],
    ['5 Jan 2020 📅', '2020-01-05T00:00Z'],
    ['5 Jan \ud83d 2020', '2020-01-05T00:00Z'],
    ['5 \u{1e900} 2020', null],
    ['５ Ｊａｎ ２０２０', '2020-01-05T00:00Z'],
    ['Jan ⑤ 2020', '2020-01-05T00:00Z'],
    ['5 janu\u0301ar 2020', '2020-01-05T00:00Z'],
    ['ΠΈΜ, 5 ΑΎΓ 2004', '2004-08-05T00:00Z'],
    ['12:30 5 जून 2020', '2020-06-05T12:30Z'],
  ],
  'what is no date is none': [
    ['', null],
    ['soon', null],
    ['12:30', null],
    ['2026-13-01', null],
    ['2026-02-30', null],
    ['Wed, 31 Jun 2026 10:00:00 GMT', null],
    ['Wed, 07 Oct 2026 25:00:00 GMT', null],
    ['Wed, 07 Oct 2026 10:61:00 GMT', null],
    ['Wed, 07 Xxx 2026 10:00:00 GMT', null],
    ['Wed, 07 Oct 2026 10:00:00 +9900', null],
    ['Wed, 07 Oct 10:00:00 GMT', null],
    ['0000-00-00 00:00:00', null],
    ['Mon, 30 Nov -0001 00:00:00 +0000', null],
    ['0001-01-01T00:00:00Z', null],
    ['Tue, 01 Sep 0026 08:30:00 GMT', null],
    ['Mon, 01 Jan 0001 00:00:00 +0000', null],
    ['123456', null],
    ['30261007160509', null],
    ['2026-10-07-02', null],
    ['7 13月 2026', null],
    ['7 十三月 2026', null],
  ],
}

for (const [kind, dates] of Object.entries(kinds)) {
  test(kind, () => {
    for (const [written, instant] of dates) assert.equal(iso(written), instant, written)
  })
}

test('no date depends on the local time zone', () => {
  const dates = Object.values(kinds)
    .flat()
    .map(([written]) => written)
  const script = `import { readDate } from ${JSON.stringify(new URL('./read-date.ts', import.meta.url).href)}
    console.log(JSON.stringify(${JSON.stringify(dates)}.map((date) => readDate(date))))`
  const here = JSON.stringify(dates.map((date) => readDate(date)))
  for (const TZ of ['Asia/Kathmandu', 'America/St_Johns']) {
    const there = execFileSync(process.execPath, ['--input-type=module', '-e', script], { env: { TZ } })
    assert.equal(there.toString().trim(), here, TZ)
  }
})

test('every instant comes back from the forms that feeds use', () => {
  const instants = fc.integer({ min: -30_000_000_000, max: 200_000_000_000 }).map((seconds) => seconds * 1000)
  fc.assert(
    fc.property(instants, (instant) => {
      assert.equal(readDate(new Date(instant).toISOString()), instant)
      assert.equal(readDate(new Date(instant).toUTCString()), instant)
    }),
  )
})

test('any text is either a date or none, and never an error', () => {
  const piece = fc.constantFrom(
    'Mon',
    'Jan',
    '2026',
    '12',
    ':',
    '/',
    '-',
    '+',
    ' ',
    'T',
    'Z',
    'PM',
    '오후',
    'Μαΐου',
    '0',
    ',',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(piece).map((pieces) => pieces.join('')),
      ),
      (text) => {
        const instant = readDate(text)
        assert.ok(instant === null || !Number.isNaN(new Date(instant).getTime()))
      },
    ),
  )
})
