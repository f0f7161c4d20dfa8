/**
 * Dates in Chinese, Japanese and Korean, in the shape of all others: what the runtimes of three countries make of
 * RFC 822, and what people write. Korean dates without a zone are of Korea.
 */

const CHARACTERS = /[\u4e00-\u9fff\uac00-\ud7af]/
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const NUMERALS = '一二三四五六七八九十'

/** `火, 05 1月`, `星期二, 05 一月`, `화, 05 1월`. */
const DAY_BEFORE_MONTH = /(\d{1,2})\s+(\d{1,2}|[一二三四五六七八九十]{1,2})[月월]\s+(?=\d{4})/
const LEADING_WEEKDAY = /^(?:星期|周|週)?[日月火水木金土一二三四五六天월화수목금토일](?:요일|曜日?)?\s*,\s*/

export function isEastAsian(text: string): boolean {
  return CHARACTERS.test(text)
}

export function withoutEastAsian(text: string): string {
  const zone = /[년월일]|오[전후]/.test(text) && !/[a-z+]|:\d\d\s*-/i.test(text) ? ' +09:00' : ''
  const plain = text
    .replace(LEADING_WEEKDAY, '')
    .replace(DAY_BEFORE_MONTH, (_, day, month) => `${day} ${MONTHS[numberOf(month) - 1] ?? ''} `)
    .replace(/(\d)\s*[년年월月]\s*(?=\d)/g, '$1-')
    .replace(/(\d)\s*[일日]/g, '$1 ')
    .replace(/[(（]?[월화수목금토일月火水木金土日](?:요일|曜日|[)）])/g, ' ')
    .replace(
      /(\d)\s*[시時时点]\s*(\d+)\s*[분分]?(?:\s*(\d+)\s*[초秒])?/g,
      (_, h, m, s) => `${h}:${m}${s ? `:${s}` : ''}`,
    )
    .replace(/오전|午前|上午/g, ' am ')
    .replace(/오후|午後|下午/g, ' pm ')
  return plain.trim() + zone
}

/** 1 to 12, in digits or as 一 to 十二. */
function numberOf(written: string): number {
  const number = Number(written)
  if (!Number.isNaN(number)) return number
  const last = NUMERALS.indexOf(written.at(-1) ?? '') + 1
  return written.length === 1 ? last : 10 + last
}
