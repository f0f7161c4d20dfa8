/**
 * Lines that change while the article stays: moments ("5 minutes ago", "Updated 10:32"), counters ("1,204 views"), bare numbers.
 * A hash over them would report a new article at every visit. Only whole lines count: a date inside a sentence is the author's.
 */
import { BETWEEN, MONTHS, STAMP_LABELS, WEEKDAYS, ZONES } from './date-words.ts'

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`, 'iu')

const DATE_WORD = whole(`${MONTHS}|${WEEKDAYS}|${ZONES}|${BETWEEN}|${STAMP_LABELS.replaceAll(' ', '|')}`)
const MONTH_WORD = whole(MONTHS)
const DATE_NUMBER = /^\d[\d.:]*(?:st|nd|rd|th|h|hrs|am|pm|º|ª|年|月|日)?\d*$/i
const LABELLED = new RegExp(`^(?:${STAMP_LABELS})(?!\\p{L})`, 'iu')
const CLOCK = /\b\d{1,2}[:.h]\d{2}\b|\d\s?(?:am|pm|uhr)\b/i
const NUMERIC_DATE = /\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{4}\s?年/
const MONTH_AND_DAY = new RegExp(
  `(?<!\\p{L})(?:${MONTHS})\\.?\\s+\\d{1,2}\\b|\\b\\d{1,2}\\.?\\s+(?:de\\s+)?(?:${MONTHS})(?!\\p{L})`,
  'iu',
)

const BEFORE = `(?:(?:${STAMP_LABELS}|last|about|over|almost|aktualisiert|publié)[:\\s]+){0,3}`
const AGO = [
  `${BEFORE}just now`,
  `${BEFORE}(?:\\d+|an?|one|a few)\\s?\\+?\\s?(?:s|m|h|d|w|sec(?:ond)?s?|min(?:ute)?s?|hours?|hrs?|days?|weeks?|months?|years?) ago\\.?`,
  `${BEFORE}vor (?:\\d+|einer|einem|wenigen) (?:sekunde|minute|stunde|tag|woche|monat|jahr)(?:e|n|en)?`,
  `${BEFORE}(?:il y a|hace|há) \\d+ \\p{L}+`,
  '\\d+ \\p{L}+ (?:fa|geleden|temu|назад)',
  '\\d+\\s?(?:秒|分钟|分|小时|時間|天|日)前',
].map(whole)

// What an author counts as well: of elections, of games.
const TALLIED = 'votes?|points?|downloads?|stimmen|punkte|voix|votos|puntos|pontos|voti|punti'
const COUNTED = [
  TALLIED,
  'views?|reads?|shares?|comments?|likes?|reactions?|replies|reply|responses?|retweets?|followers?|subscribers?|claps?',
  'min(?:ute)?s? read|aufrufe|kommentare?|leser|mal gelesen|min(?:uten)? lesezeit|commentaires?|partages?|vues?|lectures?',
  'comentarios?|comentários?|vistas|visitas|visualizações|leituras|letture|commenti|condivisioni|visualizzazioni|reacties|weergaven',
  'просмотр(?:ов|а)?|комментари(?:ев|й|я)',
].join('|')
const NUMBER = '\\d[\\d.,\\s]*[km]?'
const COUNTERS = [
  `[+#]?${NUMBER}`,
  `${NUMBER}\\s?\\+?\\s?(?:${COUNTED})\\.?`,
  'no comments(?: yet)?\\.?',
  `(?:${COUNTED})\\s?[:(]?\\s?${NUMBER}\\)?`,
  `(?:viewed|read|seen|shared|gelesen|leído|lu|visto|letto)\\s?:?\\s?${NUMBER}\\s?(?:times|mal|fois|veces|vezes|volte)?`,
  `this (?:page|article|post|story) (?:has been |was )?(?:viewed|read|visited|accessed) ${NUMBER} times\\.?`,
  `${NUMBER}\\s(?:people|readers|users) (?:have )?(?:read|viewed|liked|shared)(?!\\p{L}).{0,20}`,
  'you have (?:read )?\\d+ .{0,40}(?:articles?|stories)(?!\\p{L}).{0,40}',
  `${NUMBER}\\s(?:people|readers|users|visitors)\\s(?:are\\s)?(?:reading|viewing|watching|online|here)(?!\\p{L}).{0,20}`,
  '(?:estimated )?(?:read(?:ing)? time|lesezeit|tempo de leitura|temps de lecture|tiempo de lectura|tempo di lettura)(?!\\p{L}).{0,25}',
].map(whole)

const COUNTER_LABEL = whole(`(?:total )?(?:${COUNTED}|hits|visitors?)\\s?[:：]?`)
const FIGURES = [`[+#]?${NUMBER}`, `${NUMBER}\\s?(?:${TALLIED})`].map(whole)

const MAX_LINE_CHARS = 90

/** Nothing but a date or a time, with or without a label in front. */
export function isDateLine(line: string): boolean {
  if (line.length > MAX_LINE_CHARS || !/\d/.test(line)) return false
  const words = line.split(/[\s,;:|·•()[\]/–—-]+/).map((word) => word.replace(/^\.+|\.+$/g, ''))
  const isDatePart = (word: string): boolean =>
    word === '' || (/^\d/.test(word) ? DATE_NUMBER.test(word) : DATE_WORD.test(word))
  if (!words.every(isDatePart)) return false
  return CLOCK.test(line) || NUMERIC_DATE.test(line) || words.some((word) => MONTH_WORD.test(word))
}

/** A number, a result, a date or a time and nothing else: a counter or a stamp, or what the text is about. The place decides. */
export const isFigure = (line: string): boolean =>
  line.length <= MAX_LINE_CHARS &&
  (FIGURES.some((pattern) => pattern.test(line)) || (isDateLine(line) && !isStampLabel(line)))

/** "Monday 9:00 – 17:00": a stamp tells one moment. */
export const isSpan = (line: string): boolean =>
  isDateLine(line) &&
  !LABELLED.test(line) &&
  /\d{1,2}[:.h]\d{2}\s?(?:[ap]\.?m\.?|uhr|h)?\s?(?:[–—-]|to|bis|à|until)\s?\d{1,2}[:.h]\d{2}/iu.test(line) &&
  !NUMERIC_DATE.test(line) &&
  !MONTH_AND_DAY.test(line)

/** "Updated", "Published: ..."; not "Date" or "Time", which head what an event is about as well. */
export const isStampLabel = (line: string): boolean =>
  LABELLED.test(line) && !/^(?:date|time|datum)(?!\p{L})/iu.test(line)

/** "Views", "Comments:", and nothing else. */
export const isCounterLabel = (line: string): boolean => COUNTER_LABEL.test(line)

/** A line that can differ between two visits to the same article. */
export function isVolatile(line: string): boolean {
  if (line.length > MAX_LINE_CHARS) return false
  if (AGO.some((pattern) => pattern.test(line)) || COUNTERS.some((pattern) => pattern.test(line))) return true
  if (isDateLine(line)) return LABELLED.test(line) || (CLOCK.test(line) && !isSpan(line))
  if (LABELLED.test(line) && bearsDate(line) && !/[.!?]$/.test(line)) return true
  const parts = line.split(/\s*[|•·]\s*|\s+[–—-]\s+/).filter(Boolean)
  return (
    parts.length > 1 &&
    parts.some(isVolatile) &&
    parts.every((part) => isVolatile(part) || isDateLine(part) || isNames(part))
  )
}

/** Words that all begin with a capital: names, a rubric. */
const isNames = (part: string): boolean =>
  part.length <= 40 && /^(?:by |von |par |por )?(?:\p{Lu}[\p{L}.'’-]*\s?){1,4}$/u.test(part)

/** A date or a clock time somewhere in the line: between title and first paragraph that is the line of byline and date. */
export const bearsDate = (line: string): boolean =>
  CLOCK.test(line) || NUMERIC_DATE.test(line) || MONTH_AND_DAY.test(line)
