/**
 * Recognises relative times, which differ at every visit: "3 hours ago", "vor einer Stunde", "il y a 5 minutes", "5分前".
 * They may be a whole line, with or without a label, or a part of a line.
 * The short form ("3h") counts only in an element that the page marks as a time.
 */
import { TIMESTAMP_LABELS } from './timestamp-labels.ts'

const SOME = '\\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a few|a couple of|several'
const UNIT =
  's|m|h|d|w|mo|y|secs?|seconds?|mins?|minutes?|hours?|hrs?|days?|weeks?|months?|years?|sek(?:unde)?n?|stunden?|tag(?:en?)?'
const ARABIC_UNIT =
  'ثانية|ثوان[يٍ]?|دقيقة|دقيقتين|دقائق|ساعة|ساعتين|ساعات|يوم|يومين|أيام|أسبوع|أسبوعين|أسابيع|شهر|شهرين|أشهر|شهور|سنة|سنتين|سنوات|عام|عامين|أعوام'
const HEBREW_UNIT =
  'שנייה|שניות|דקה|דקות|שעה|שעות|שעתיים|יום|ימים|יומיים|שבוע|שבועות|שבועיים|חודש|חודשים|חודשיים|שנה|שנים|שנתיים'
const RELATIVE_TIMES = [
  "just now|gerade eben|à l[’']instant",
  `(?:${SOME})\\s?\\+?\\s?(?:${UNIT})(?:,?(?: and)? \\d+ \\p{L}{1,10}){0,2} ago`,
  'vor (?:\\d+|einer|einem|wenigen|etwa \\d+) (?:sekunde|minute|stunde|tag|woche|monat|jahr|min|std)(?:e|n|en)?',
  '(?:il y a|hace|há|acum|před|pred|prije|πριν(?: από)?) (?:\\d+|une?|una?|uma?|o|un|μία|ένα) \\p{L}+',
  '(?:f[öo]r )?\\p{Nd}{1,5} [\\p{L}\\p{M}]{1,20} (?:fa|geleden|temu|назад|тому|atrás|sedan|siden|sitten|önce|trước|(?:yang )?lalu|पहले|পূর্বে|আগে|پیش|قبل)',
  '\\d+ (?:másodperce|perce|órája|napja|hete|hónapja|éve)',
  `(?:منذ|قبل) (?:\\p{Nd}{1,5} )?(?:${ARABIC_UNIT})`,
  `לפני (?:\\d+ )?(?:${HEBREW_UNIT})`,
  '\\p{Nd}{1,5}\\s?(?:วินาที|นาที|ชั่วโมง|วัน|สัปดาห์|เดือน|ปี)(?:ที่แล้ว|ที่ผ่านมา|ก่อน)',
  '\\d+\\s?(?:秒钟?|秒鐘|分钟|分鐘|分|小时|小時|個?小時|時間|天|日|週間?|周|か月|个月|個月|年)前',
  '\\d+\\s?(?:초|분|시간|일|주일?|개월|달|년)\\s?전',
].join('|')
// These count only as a whole line. Inside a line they may be part of a sentence.
const RELATIVE_DAYS =
  "today|yesterday|last (?:week|month|year)|heute|gestern|letzte woche|aujourd[’']hui|hier|hoy|ayer|hoje|ontem|oggi|ieri|vandaag|gisteren|сегодня|вчера|今天|昨天|今日|昨日|오늘|어제"

const BEFORE = `(?:(?:${TIMESTAMP_LABELS}|last|about|over|almost|around|nearly|less than|more than|submitted|asked|answered|active|joined|opened|released)[:\\s]*){0,3}`
const WHOLE = new RegExp(`^${BEFORE}(?:${RELATIVE_TIMES}|${RELATIVE_DAYS})\\.?$`, 'iu')
const INSIDE = new RegExp(
  `(?<![\\p{L}\\p{Nd}](?=\\p{L})|\\p{Nd})(?:(?:about|almost|over|less than) )?(?:${RELATIVE_TIMES})(?!\\p{L})`,
  'giu',
)
const SHORT = new RegExp(`^(?:\\d+|an?)\\s?(?:${UNIT})\\.?$`, 'iu')

/** The line is only a relative time, with or without a label in front. */
export const isRelativeTime = (line: string): boolean => WHOLE.test(line)

/** The line contains a relative time anywhere. */
export const containsRelativeTime = (line: string): boolean => line.search(INSIDE) >= 0

export const withoutRelativeTimes = (line: string): string => line.replace(INSIDE, ' ')

/** The text of a `<time>` element is relative: "3 hours ago", "3h". */
export const isRelativeTimeTag = (text: string): boolean => isRelativeTime(text) || SHORT.test(text)
