// A piece of a text around the first thing that was searched for, on one line.
import type { SearchQuery, SearchTerm } from './search-query.ts'

const BEFORE = 80
const LOOKED_AT = 20_000
const SPACE_NEAR = 20

export function excerptOf(text: string, query: SearchQuery, characters = 280): string {
  const looked = text.slice(0, LOOKED_AT).replace(/\s+/g, ' ').trim()
  const hit = firstHit(looked, query.all)
  const start = hit <= BEFORE ? 0 : wordStart(looked, hit - BEFORE)
  const end = start + characters >= looked.length ? looked.length : wordEnd(looked, start + characters)
  const cutAfter = end < looked.length || text.length > LOOKED_AT
  return `${start > 0 ? '…' : ''}${looked.slice(start, end).trim()}${cutAfter ? '…' : ''}`.toWellFormed()
}

/** 0 if nothing is found, as when a word occurs in the title only. */
function firstHit(text: string, terms: readonly SearchTerm[]): number {
  const hits = terms.map((term) => text.search(patternOf(term))).filter((at) => at >= 0)
  return hits.length === 0 ? 0 : Math.min(...hits)
}

/** Parts consist of letters, marks and digits only, so nothing needs to be escaped. */
function patternOf({ parts }: SearchTerm): RegExp {
  return new RegExp(parts.join('[^\\p{L}\\p{M}\\p{N}]*'), 'iu')
}

function wordStart(text: string, at: number): number {
  const space = text.indexOf(' ', at)
  return space >= 0 && space - at <= SPACE_NEAR ? space + 1 : at
}

function wordEnd(text: string, at: number): number {
  const space = text.lastIndexOf(' ', at)
  return space >= 0 && at - space <= SPACE_NEAR ? space : at
}
