/**
 * Relative times, which are never the same at two visits: "3 hours ago", "vor einer Stunde", "il y a 5 minutes", "5分前".
 * As a whole line with or without a label, inside a short line of names and labels, or bare ("3h") where the page marks a time.
 */
import { STAMP_LABELS } from './date-words.ts'

const SOME = '\\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a few|a couple of|several'
const UNIT =
  's|m|h|d|w|mo|y|secs?|seconds?|mins?|minutes?|hours?|hrs?|days?|weeks?|months?|years?|sek(?:unde)?n?|stunden?|tag(?:en?)?'
const PIECES = [
  "just now|gerade eben|à l[’']instant",
  `(?:${SOME})\\s?\\+?\\s?(?:${UNIT})(?: and \\d+ \\p{L}+)? ago`,
  'vor (?:\\d+|einer|einem|wenigen|etwa \\d+) (?:sekunde|minute|stunde|tag|woche|monat|jahr|min|std)(?:e|n|en)?',
  '(?:il y a|hace|há) (?:\\d+|une?|una?|uma?) \\p{L}+',
  '\\d+ \\p{L}+ (?:fa|geleden|temu|назад|atrás)',
  '\\d+\\s?(?:秒钟?|分钟|分|小时|時間|天|日|か月|个月|年)前',
].join('|')

const BEFORE = `(?:(?:${STAMP_LABELS}|last|about|over|almost|around|nearly|less than|more than|submitted|asked|answered)[:\\s]*){0,3}`
const WHOLE = new RegExp(`^${BEFORE}(?:${PIECES})\\.?$`, 'iu')
const INSIDE = new RegExp(
  `(?<![\\p{L}\\d](?=\\p{L})|\\d)(?:(?:about|almost|over|less than) )?(?:${PIECES})(?!\\p{L})`,
  'giu',
)
const SHORT = new RegExp(`^(?:\\d+|an?)\\s?(?:${UNIT})\\.?$`, 'iu')

/** Nothing but a relative time, with or without a label in front. */
export const isMoment = (line: string): boolean => WHOLE.test(line)

/** A relative time somewhere in the line. */
export const bearsMoment = (line: string): boolean => line.search(INSIDE) >= 0

export const withoutMoments = (line: string): string => line.replace(INSIDE, ' ')

/** What a `<time>` says when it tells how long ago: "3 hours ago", "3h". */
export const isRelative = (text: string): boolean => isMoment(text) || SHORT.test(text)
