// Full text: for which new posts the page behind them is asked, and what becomes of it. Pure.
import { classOf, type Failure } from './outcome.ts'
import { type Candidate, NO_FULL_TEXT, type TextBehindPost, type WantedText } from './post.ts'
import { HOUR_MS, MINUTE_MS } from './schedule.ts'
import type { FullTextPolicy } from './source-settings.ts'

/** A post whose text is shorter than this is taken for a summary. */
const SUMMARY_CHARACTERS = 500

/** For each of a poll's new posts, which are given oldest first: the newest ones are asked for. */
export function wantedTexts(
  posts: readonly Candidate[],
  rules: { readonly policy: FullTextPolicy; readonly maxPagesPerPoll: number; readonly sourceUrl: string },
): WantedText[] {
  let left = rules.maxPagesPerPoll
  return posts
    .toReversed()
    .map((post) => {
      const behind = wantsFullText(rules.policy, post) ? textBehind(post, rules.sourceUrl) : null
      if (behind === null) return NO_FULL_TEXT
      if (left-- > 0) return { state: 'pending' as const, reason: null, behind }
      const reason = `the poll found more than ${rules.maxPagesPerPoll} new posts`
      return { state: 'skipped' as const, reason, behind: null }
    })
    .toReversed()
}

/** The notes of an episode are never its words, however long they are: a transcript is wanted with `auto` as well. */
function wantsFullText(policy: FullTextPolicy, { title, body, transcriptUrl }: Candidate): boolean {
  if (policy === 'never') return false
  return policy === 'always' || Boolean(transcriptUrl) || looksCut(body, title)
}

/** null: the post leads nowhere but to its source. */
export function textBehind(
  { url, transcriptUrl }: { readonly url: string; readonly transcriptUrl?: string | null | undefined },
  sourceUrl: string,
): TextBehindPost | null {
  if (transcriptUrl) return { url: transcriptUrl, kind: 'transcript' }
  return /^https?:\/\//.test(url) && url !== sourceUrl ? { url, kind: 'page' } : null
}

const MORE = [
  'read (?:more|on|the (?:full|whole|rest)[^.]{0,60}|full (?:article|story|post)|article)|continue reading|keep reading|more (?:»|›|→|>)',
  'weiterlesen|mehr (?:lesen|erfahren)|zum artikel|lire (?:la suite|plus|l.article)|la suite|en savoir plus',
  'leer m[áa]s|(?:seguir|sigue|contin[úu]a|continuar) leyendo|ler mais|leia mais|continu[ae] (?:a )?le(?:r|ndo|itura)',
  'leggi (?:tutto|di più|l.articolo)|continua a leggere|continua|lees (?:verder|meer)|l[äa]s mer|les mer|l[æe]s mere|lue lisää',
  'czytaj (?:dalej|więcej)|číst (?:dál|více)|čítať ďalej|olvass tovább|tovább|citește mai (?:mult|departe)|pročitaj više',
  'читать (?:далее|дальше|полностью)|подробнее|далее|читати далі|прочети още|διαβάστε περισσότερα|devamını oku|devamı',
  '続きを読む|もっと読む|阅读(?:更多|全文)|继续阅读|查看全文|閱讀(?:更多|全文)|繼續閱讀|더 ?(?:보기|읽기)|계속 읽기',
  'اقرأ المزيد|قراءة المزيد|קרא(?:ו)? עוד|đọc (?:tiếp|thêm)|xem thêm|baca (?:selengkapnya|juga)|selengkapnya|อ่านต่อ|और पढ़ें',
].join('|')
const ELLIPSIS_AT_END = /(?:…|\.\.\.|\[(?:…|\.{2,3}|\+)\]|\(…\))[\s"”'’)\]»›→>]*$/u
const MORE_AT_END = new RegExp(`(?:^|[\\s.!?…»"”)\\](\\[])(?:${MORE})[\\s.…:!)\\]»›→⇒➔>&-]*$`, 'iu')
/** What WordPress puts below each entry. */
const FIRST_SEEN_ON = /\s*The post .{1,300} (?:appeared first|first appeared) on .{1,200}$/s
const TAIL_CHARACTERS = 800

export function looksCut(body: string, title = ''): boolean {
  if (body.length < SUMMARY_CHARACTERS) return true
  const end = withoutTitle(body.slice(-TAIL_CHARACTERS).replace(FIRST_SEEN_ON, ''), title).trimEnd().slice(-120)
  return ELLIPSIS_AT_END.test(end) || MORE_AT_END.test(end)
}

/** "Continue reading" and its like may be followed by the title of the post, and an arrow. */
function withoutTitle(text: string, title: string): string {
  const said = text.replace(/[\s"”'’»›→⇒➔>]{1,20}$/u, '')
  return title !== '' && said.endsWith(title) ? said.slice(0, -title.length).replace(/[\s"“‘«‹']{1,5}$/u, '') : text
}

const RETRY_AFTER_MS = [10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS]

export type AfterFailure = { readonly kind: 'again'; readonly at: number } | { readonly kind: 'failed' }

/** `tries`: failed ones before this. */
export function afterFailure(failure: Failure, tries: number, now: number): AfterFailure {
  const waitMs = classOf(failure) === 'permanent' ? undefined : RETRY_AFTER_MS[tries]
  return waitMs === undefined ? { kind: 'failed' } : { kind: 'again', at: now + waitMs }
}

export function isBetter(found: string, stated: string): boolean {
  return found.length > stated.length
}

/** Posts that are younger wait for their full text before they become articles. */
export const WAITS_FOR_TEXT_MS = HOUR_MS
