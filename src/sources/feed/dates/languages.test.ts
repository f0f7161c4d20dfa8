import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDate } from './read-date.ts'

const LANGUAGES = (
  'af ar ar-DZ ar-EG ar-LB ar-MA az be bg bn bs ca cs cy da de de-AT el en en-AU en-CA en-GB en-IN en-ZA es es-AR es-MX ' +
  'et eu fa fi fil fr fr-CA fr-CH ga gl gu he hi hr hu hy id is it ja ka kk kn ky lt lv mk ml ms nb ne nl nn pa pl ps pt ' +
  'pt-PT ro ru sk sl sq sr sr-Latn sv sw ta te th tr uk ur uz vi zh zh-HK zh-TW'
).split(' ')

const STYLES = [
  { dateStyle: 'full' },
  { dateStyle: 'long' },
  { dateStyle: 'medium' },
  { dateStyle: 'full', timeStyle: 'short' },
  { dateStyle: 'medium', timeStyle: 'medium' },
] as const

const calendarsOf = (language: string) => (language === 'th' ? ['gregory', 'buddhist'] : ['gregory'])
const MONTHS = Array.from({ length: 12 }, (_, month) => month)

test('what the runtime writes in any of these languages comes back', () => {
  for (const language of LANGUAGES) {
    for (const calendar of calendarsOf(language)) {
      for (const style of STYLES) {
        const format = new Intl.DateTimeFormat(language, { ...style, calendar, timeZone: 'UTC' })
        for (const month of MONTHS) {
          const day = Date.UTC(2026, month, month + 1)
          const instant = 'timeStyle' in style ? day + (20 * 60 + 30) * 60_000 : day
          const written = format.format(instant)
          assert.equal(readDate(written), instant, `${language}: ${written}`)
        }
      }
    }
  }
})

test('RFC 822 comes back with the names of any of these languages in it', () => {
  for (const language of [...LANGUAGES, 'am', 'as', 'eo', 'fy', 'km', 'ko', 'lo', 'mr', 'or', 'tg', 'ug']) {
    for (const style of ['short', 'long'] as const) {
      const format = new Intl.DateTimeFormat(language, {
        ...{ weekday: style, day: '2-digit', month: style, year: 'numeric' },
        ...{ timeZone: 'UTC', calendar: 'gregory', numberingSystem: 'latn' },
      })
      for (const month of MONTHS) {
        const instant = Date.UTC(2026, month, 5, 8, 30)
        const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]))
        const written = `${parts.get('weekday')}, 05 ${parts.get('month')} 2026 08:30:00 +0000`
        assert.equal(readDate(written), instant, `${language}: ${written}`)
      }
    }
  }
})

const day = (written: string) => {
  const instant = readDate(written)
  return instant === null ? null : new Date(instant).toISOString().replace(/:00\.000Z$/, 'Z')
}

const kinds: Record<string, [written: string, instant: string | null][]> = {
  'Vietnamese counts its months, in digits or words': [
    ['Thứ Hai, 05 tháng 1 2026', '2026-01-05T00:00Z'],
    ['5 Tháng Một, 2026', '2026-01-05T00:00Z'],
    ['5 tháng Mười Hai 2026', '2026-12-05T00:00Z'],
    ['Ngày 5 tháng 11 năm 2026', '2026-11-05T00:00Z'],
    ['T2, 05 Th1 2026 08:30:00 +0700', '2026-01-05T01:30Z'],
    ['Th 2, 05 thg 1 2026 08:30:00 +0700', '2026-01-05T01:30Z'],
    ['Chủ Nhật, 04/10/2026, 08:30 (GMT+7)', '2026-10-04T01:30Z'],
    ['Thứ 5, 01/10/2026 08:30', '2026-10-01T08:30Z'],
    ['1/10/2026 8:30:00 CH', '2026-10-01T20:30Z'],
    ['5 tháng 13 2026', null],
  ],
  'Thai years are of the Buddha, if they are no others': [
    ['5 ม.ค. 2569', '2026-01-05T00:00Z'],
    ['5 ม.ค. 69', '2026-01-05T00:00Z'],
    ['5 มกราคม 2026', '2026-01-05T00:00Z'],
    ['๕ มกราคม ๒๕๖๙', '2026-01-05T00:00Z'],
    ['จ., 05 ม.ค. 2569 08:30:00 +0700', '2026-01-05T01:30Z'],
    ['5 มกราคม 2569 เวลา 08:30 น.', '2026-01-05T08:30Z'],
    ['5 Jan 2569', '2569-01-05T00:00Z'],
  ],
  'names that Croatian shares with Polish and Czech mean what the rest of the date says': [
    ['1. listopada 2026.', '2026-10-01T00:00Z'],
    ['1 listopada 2026', '2026-11-01T00:00Z'],
    ['1 listopada 2026 r.', '2026-11-01T00:00Z'],
    ['1. listopadu 2026', '2026-11-01T00:00Z'],
    ['čet, 01 lis 2026 08:30:00 +0200', '2026-10-01T06:30Z'],
    ['czw, 05 lis 2026 08:30:00 +0100', '2026-11-05T07:30Z'],
    ['pon, 05 lis 2026 08:30:00 +0200', '2026-10-05T06:30Z'],
    ['pon, 02 lis 2026 08:30:00 +0100', '2026-11-02T07:30Z'],
    ['pet, 05 lip 2026 08:30:00 +0200', '2026-06-05T06:30Z'],
    ['nie, 05 lip 2026 08:30:00 +0200', '2026-07-05T06:30Z'],
    ['sri, 01 srp 2026 08:30:00 +0200', '2026-07-01T06:30Z'],
    ['so, 01 srp 2026 08:30:00 +0200', '2026-08-01T06:30Z'],
  ],
  'months of several words': [
    ['5 كانون الثاني 2026', '2026-01-05T00:00Z'],
    ['5 كانون الأول 2026', '2026-12-05T00:00Z'],
    ['5 تشرين الأول 2026', '2026-10-05T00:00Z'],
    ['1 Meán Fómhair 2026', '2026-09-01T00:00Z'],
    ['2026 оны 9-р сарын 1', '2026-09-01T00:00Z'],
  ],
  'spellings that are used beside those of the runtime': [
    ['1 सितम्बर 2026', '2026-09-01T00:00Z'],
    ['৫ জানুয়ারী ২০২৬', '2026-01-05T00:00Z'],
    ['5 آگوست 2026', '2026-08-05T00:00Z'],
    ['1 KASIM 2026', '2026-11-01T00:00Z'],
    ['1 בספטמבר 2026 בשעה 8:30', '2026-09-01T08:30Z'],
    ['1 сент. 2026 г. 08:30 МСК', '2026-09-01T05:30Z'],
    ['wtorek, 1 września 2026, godz. 8:30', '2026-09-01T08:30Z'],
    ['mardi 1 septembre 2026 à 8 h 30', '2026-09-01T08:30Z'],
    ['terça-feira, 1 de setembro de 2026 às 8h30min', '2026-09-01T08:30Z'],
    ['1 sep 2026 8:30 p. m.', '2026-09-01T20:30Z'],
    ['ika-1 ng Setyembre 2026', '2026-09-01T00:00Z'],
    ['E martë, 1 Shtator 2026', '2026-09-01T00:00Z'],
  ],
  'a weekday that is also a month is a weekday beside one, wherever it stands': [
    ['1 septembre 2026, mar.', '2026-09-01T00:00Z'],
    ['mar 03/11/2026 - 08:30', '2026-11-03T08:30Z'],
    ['mar, 03 mar 2026', '2026-03-03T00:00Z'],
    ['Dydd Mawrth, 1 Medi 2026', '2026-09-01T00:00Z'],
    ['Dydd Sul, 1 Mawrth 2026', '2026-03-01T00:00Z'],
  ],
  'years of emperors and republics, and numbers in words': [
    ['令和8年9月1日', '2026-09-01T00:00Z'],
    ['令和元年5月1日', '2019-05-01T00:00Z'],
    ['平成31年4月30日', '2019-04-30T00:00Z'],
    ['民國115年9月1日', '2026-09-01T00:00Z'],
    ['二〇二六年九月一日', '2026-09-01T00:00Z'],
    ['二〇二六年十二月三十一日', '2026-12-31T00:00Z'],
    ['2026年9月1日 中午12:30', '2026-09-01T12:30Z'],
    ['2026年9月1日 晚上8:30', '2026-09-01T20:30Z'],
  ],
  'years since the Hijra are refused': [
    ['١٢/٣/١٤٤٨', null],
    ['۱۴۰۵/۰۶/۱۰', null],
    ['1405/06/10 08:30', null],
    ['۱۰ شهریور ۱۴۰۵', null],
  ],
}

for (const [kind, dates] of Object.entries(kinds)) {
  test(kind, () => {
    for (const [written, instant] of dates) assert.equal(day(written), instant, written)
  })
}
