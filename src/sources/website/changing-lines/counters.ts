/**
 * Recognises lines that are counters: views, shares, comments, votes, readers online, in many languages.
 * A plain number, or votes and points, may also be part of the text. data-lines.ts decides that by position.
 */

import { wholeLine } from '../patterns.ts'
import { COUNTED_BY_AUTHORS, COUNTED_BY_SITES } from './counter-words.ts'

const NUMBER = '\\p{Nd}[\\p{Nd}.,٬\\s]*[km万萬]?'
const ICON = '[👁👀❤♥♡👍👎💬🗨📊🔥⭐★☆🔁▲△↑⬆]\\ufe0f?'
const DURATION = '\\d+\\s?(?:d|days?|h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?|tagen?|stunden?|minuten)'
const COUNTERS = [
  `[+#]?${NUMBER}`,
  `${ICON}\\s?${NUMBER}|${NUMBER}\\s?${ICON}`,
  `${NUMBER}\\s?\\+?\\s?(?:${COUNTED_BY_SITES})\\.?`,
  'no comments(?: yet)?\\.?',
  `(?:total )?(?:${COUNTED_BY_SITES})\\s?[:：(（]?\\s?${NUMBER}\\s?[)）次]?`,
  `(?:viewed|read|seen|shared|gelesen|leído|lu|visto|letto)\\s?:?\\s?${NUMBER}\\s?(?:times|mal|fois|veces|vezes|volte)?`,
  `this (?:page|article|post|story) (?:has been |was )?(?:viewed|read|visited|accessed) ${NUMBER} times\\.?`,
  `${NUMBER}\\s(?:people|readers|users|others) (?:have )?(?:read|viewed|liked?|shared?|recommend(?:ed)?|found)(?!\\p{L}).{0,20}`,
  'you have (?:read )?\\d+ .{0,40}(?:articles?|stories)(?!\\p{L}).{0,40}',
  `(?:live\\s)?${NUMBER}\\s(?:(?:people|readers|users|visitors|guests)\\s)?(?:are\\s)?(?:reading|viewing|watching|listening|online|here)(?!\\p{L}).{0,30}`,
  `(?:you are )?(?:our |the )?visitor(?: (?:number|no\\.?))?\\s?[#:]?\\s?${NUMBER}`,
  `(?:average )?(?:rating|rated|bewertung|user rating)\\s?:?\\s?${NUMBER}(?:\\s?(?:/|of|out of|von)\\s?\\d+)?(?: stars?)?\\s?\\(.{0,15}${NUMBER}.{0,15}\\)`,
  `${NUMBER}\\s?(?:/|of|out of|von)\\s?\\d+ stars?\\s?\\(.{0,15}${NUMBER}.{0,15}\\)`,
  `only \\d+ (?:left|remaining)(?!\\p{L}).{0,20}`,
  `${NUMBER}\\scommits?(?: to \\S{1,40})?(?: since .{1,30})?`,
  `${NUMBER}\\s?downloads? (?:this|last|per|a|each) \\p{L}+`,
  `(?:join|loved by|trusted by|read by) (?:over |more than )?${NUMBER}\\+?\\s?(?:other |happy )?(?:subscribers|readers|members|followers|people|users|others)(?!\\p{L}).{0,20}`,
  '(?:users|members|guests) (?:browsing|viewing|reading) this (?:forum|thread|topic|page).{0,60}',
  `(?:(?:visitor|hit|page) ?)?counter\\s?:?\\s?${NUMBER}`,
  '(?:shopping )?(?:cart|basket|warenkorb|panier|carrito|carrinho|carrello)\\s?\\(?\\d+\\)?',
  '(?:your ip(?: address)?(?: is)?|(?:request|ray|trace|session|error|reference) id)\\s?[:#]?\\s?[\\p{L}\\d.:-]*\\d[\\p{L}\\d.:-]*',
  `(?:this )?page (?:was )?(?:generated|rendered|loaded|created|served) in ${NUMBER}\\s?(?:m?s|secs?|(?:milli)?seconds?)(?!\\p{L}).{0,30}`,
  '.{0,30}(?:ends|starts|begins|closes|expires|endet) in:? \\d{1,3}(?::\\d{2}){1,2}',
  `.{0,30}(?:ends|starts|begins|closes|expires|endet) in:? ${DURATION}(?:[\\s,:]+${DURATION})*`,
  `${DURATION}(?:[\\s,:]+${DURATION})* (?:left|remaining|to go|verbleibend)`,
  '(?:estimated )?(?:read(?:ing)? time|lesezeit|lesedauer|tempo de leitura|temps de lecture|tiempo de lectura|tempo di lettura)(?!\\p{L}).{0,25}',
].map(wholeLine)
const LABEL = wholeLine(`(?:total )?(?:${COUNTED_BY_SITES})\\s?[:：]?`)
const AUTHOR_NUMBERS = [`[+#]?${NUMBER}`, `${NUMBER}\\s?(?:${COUNTED_BY_AUTHORS})`].map(wholeLine)
const COUNT = new RegExp(`${NUMBER}\\s?(?:${COUNTED_BY_SITES})(?!\\p{L})`, 'giu')

export const isCounter = (line: string): boolean => {
  const text = line.replace(/^[·•|,]\s*/, '')
  return COUNTERS.some((pattern) => pattern.test(text))
}

/** The line is only a label: "Views", "Comments:". */
export const isCounterLabel = (line: string): boolean => LABEL.test(line)

/** A number or a score that may be part of the text. */
export const isNumberOrScore = (line: string): boolean => AUTHOR_NUMBERS.some((pattern) => pattern.test(line))

/** The line contains a count anywhere, such as "12 comments". */
export const containsCount = (line: string): boolean => line.search(COUNT) >= 0

export const withoutCounts = (line: string): string => line.replace(COUNT, ' ')
