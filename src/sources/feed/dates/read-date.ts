/**
 * Any date a real feed uses, as epoch milliseconds; null for what is none. Never the current time, never the local
 * zone: a date without a zone is taken as UTC (as Korean time when it is written in Korean).
 */

import { readCommon } from './common-forms.ts'
import { readFreeForm } from './free-form.ts'
import { readIso } from './iso.ts'
import { plainWords } from './months.ts'

const LONGEST = 120

export function readDate(written: string): number | null {
  const common = readCommon(written)
  if (common !== null) return common
  const text = written.length > LONGEST ? '' : normalise(written)
  if (!/\d/.test(text)) return null
  const timestamp = readTimestamp(text)
  if (timestamp !== undefined) return timestamp
  const iso = readIso(text)
  return iso === undefined ? readFreeForm(text) : iso
}

/** Seconds or milliseconds since 1970, for the years 1973 to 2286. */
function readTimestamp(text: string): number | undefined {
  if (!/^\d+$/.test(text)) return undefined
  if (text.length === 9 || text.length === 10) return Number(text) * 1000
  return text.length === 13 ? Number(text) : undefined
}

/** Lower case, no accents, plain digits and spaces; East Asian dates in the shape of the others. */
function normalise(written: string): string {
  const text = written.normalize('NFKC').trim()
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase().replace(/\s+/g, ' ')
  const ordinary = EAST_ASIAN.test(text) ? withoutEastAsian(text) : text
  return plainWords(ordinary).replace(/\s+/g, ' ').trim()
}

const EAST_ASIAN = /[\u4e00-\u9fff\uac00-\ud7af]/

function withoutEastAsian(text: string): string {
  const zone = /[년월일]|오[전후]/.test(text) && !/[a-z+]|:\d\d\s*-/i.test(text) ? ' +09:00' : ''
  const plain = text
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
