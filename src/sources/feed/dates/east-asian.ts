/**
 * Rewrites Chinese, Japanese and Korean dates into forms that the other readers know. It covers what programs in these
 * languages make of RFC 822 and what people write. A Korean date without a zone is taken as Korean time.
 */

import { hourOf } from './instant.ts'

const CHARACTERS = /[\u4e00-\u9fff\uac00-\ud7af]/
/** Only Korean uses these characters. */
const HANGUL = /[\uac00-\ud7af]/
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const NUMERALS = '一二三四五六七八九十'

/** `火, 05 1月`, `星期二, 05 一月`, `화, 05 1월`. */
const DAY_BEFORE_MONTH = /(\d{1,2})\s+(\d{1,2}|[一二三四五六七八九十]{1,2})[月월]\s+(?=\d{4})/
const LEADING_WEEKDAY = /^(?:星期|周|週)?[日月火水木金土一二三四五六天월화수목금토일](?:요일|曜日?)?\s*,\s*/

export function isEastAsian(text: string): boolean {
  return CHARACTERS.test(text)
}

/** Only digits and the characters for year, month and day. */
const DAY_ALONE = /^[\d년年월月일日]*$/
/** A date with one of these characters has a weekday or a time as well. */
const MORE_THAN_DAY = /[,()요曜星周週시時时点오午上下凌清早中傍晚]/

/** The characters behind a year, a month and a day. */
const MARKS = /[년年월月일日]/

export function withoutEastAsian(text: string): string {
  const zone = HANGUL.test(text) && !/[a-z+]|:\d\d\s*-/i.test(text) ? ' +09:00' : ''
  return (MARKS.test(text) ? withPlainDay(text) : withPlainTime(text)).trim() + zone
}

/** For dates whose day is written in digits. Often only "morning" or "afternoon" is in characters. */
function withPlainTime(text: string): string {
  const halved = withHalfOfDay(text)
  return isEastAsian(halved) ? withoutWeekdayAndTime(withoutLeadingWeekday(text)) : halved
}

function withPlainDay(text: string): string {
  const counted = withGregorianYear(text)
  if (DAY_ALONE.test(counted)) return withoutMarks(counted)
  const more = MORE_THAN_DAY.test(counted)
  const dated = withDigits(more ? withoutLeadingWeekday(counted) : counted)
  const plain = withoutMarks(withMonthInWords(dated))
  return more ? withoutWeekdayAndTime(plain) : plain
}

function withoutLeadingWeekday(text: string): string {
  return text.includes(',') ? text.replace(LEADING_WEEKDAY, '') : text
}

function withMonthInWords(text: string): string {
  return text.replace(DAY_BEFORE_MONTH, (_, day, month) => `${day} ${MONTHS[numberOf(month) - 1] ?? ''} `)
}

function withoutMarks(dated: string): string {
  return dated.replace(/(?<=\d)\s*[년年월月]\s*(?=\d)/g, '-').replace(/(?<=\d)\s*[일日]/g, ' ')
}

const WEEKDAY = /\(?[월화수목금토일月火水木金土日](?:요일|曜日|\))|\(?(?:星期|[周週])[一二三四五六日天]\)?/g

/** 中午 is noon: with the hour 11 it is still morning. */
const HALF_OF_DAY = '(?:(오전|午前|上午|凌晨|清晨|早上|中午(?=\\s*11))|오후|午後|下午|中午|傍晚|晚上)'
const ANY_HALF_OF_DAY = new RegExp(`\\s*${HALF_OF_DAY}\\s*`, 'g')
/** The form that programs write. With the hour in 24-hour form, it becomes a date that begins with the year. */
const YEAR_FIRST = new RegExp(`^(\\d{4}-\\d\\d?-\\d\\d?)\\s*${HALF_OF_DAY}\\s*(\\d\\d?)(:[\\d:]+)$`)

function withoutWeekdayAndTime(text: string): string {
  const timed = text
    .replace(WEEKDAY, ' ')
    .replace(
      /(\d)\s*[시時时点]\s*(\d+)\s*[분分]?(?:\s*(\d+)\s*[초秒])?/g,
      (_, h, m, s) => `${h}:${m}${s ? `:${s}` : ''}`,
    )
  return withHalfOfDay(timed)
}

function withHalfOfDay(timed: string): string {
  const yearFirst = YEAR_FIRST.exec(timed)
  if (!yearFirst) return timed.replace(ANY_HALF_OF_DAY, (_, morning) => ` ${halfOfDay(morning)}m `)
  const [, date, morning, hour, minutes] = yearFirst
  return `${date} ${hourOf(Number(hour), halfOfDay(morning))}${minutes}`
}

function halfOfDay(morning: string | undefined): 'a' | 'p' {
  return morning === undefined ? 'p' : 'a'
}

/** The last year before each era. */
const ERAS = new Map(Object.entries({ 令和: 2018, 平成: 1988, 昭和: 1925, 民國: 1911, 民国: 1911 }))
const YEAR_OF_ERA = /(令和|平成|昭和|民[國国])\s*(\d{1,3}|元)\s*年/
const YEAR_IN_NUMERALS = /[〇○零一二三四五六七八九]{4}(?=年)/
const NUMBER_IN_NUMERALS = /[一二三四五六七八九十]{1,3}(?=[月日])/g

/** Converts Japanese era years and years of the Republic of China. */
function withGregorianYear(text: string): string {
  return text.replace(YEAR_OF_ERA, (_, era, year) => {
    return `${(ERAS.get(era) ?? 0) + (year === '元' ? 1 : Number(year))}年`
  })
}

/** Converts numbers written as characters into digits. */
function withDigits(text: string): string {
  if (!YEAR_IN_NUMERALS.test(text)) return text
  return text
    .replace(YEAR_IN_NUMERALS, (year) => [...year].map((digit) => (NUMERALS.indexOf(digit) + 1) % 10).join(''))
    .replace(NUMBER_IN_NUMERALS, (number) => String(numberOf(number)))
}

/** Reads a number in digits or from 一 to 三十一; NaN for anything else. */
function numberOf(written: string): number {
  if (/^\d+$/.test(written)) return Number(written)
  const [, tens, ten, units] = /^([二三]?)(十?)([一二三四五六七八九]?)$/.exec(written) ?? []
  if (ten === undefined || (ten === '' && tens !== '' && units !== '')) return NaN
  return ten === '' ? numeral(tens) + numeral(units) : Math.max(numeral(tens), 1) * 10 + numeral(units)
}

/** 0 for an empty text. */
function numeral(written = ''): number {
  return written === '' ? 0 : NUMERALS.indexOf(written) + 1
}
