/**
 * Recognises pages that answer 200 without an article: an app that needs JavaScript, a bot challenge, a block page.
 * Stored as posts they would look like news, so they fail with a reason instead.
 * Only short pages are checked. A longer page is rejected only if it has the title that a protection service
 * (Cloudflare, Anubis) gives to its own pages and its text mentions that service.
 * See docs/decisions/0032-bot-challenges-and-empty-shells-fail.md
 */

import type { PageFacts } from './facts/page-facts.ts'
import { PageError } from './page-error.ts'
import { alternatives } from './patterns.ts'

const SHORT_CHARS = 600
const SERVICE_CHARS = 2_500
const LOADING_CHARS = 60
const NEEDS_SCRIPT =
  /(?:enable|activate|turn on|requires?|need|needs|without|aktivieren|activer|activar|habilit\p{L}*|включите)\b[^.]{0,60}java\s?script|java\s?script[^.]{0,40}(?:enabled|required|disabled|aktivier|activ|habilit|включ|deaktiviert|désactivé)/iu
const CHALLENGE = new RegExp(
  alternatives(`
  verify(?:ing)? (?:that )?you(?:['’]re| are) (?:a )?(?:human|not a (?:ro)?bot)|verifying your browser|checking (?:your browser|if the site connection is secure|(?:that )?you(?:['’]re| are) not a (?:ro)?bot)
  (?:make|making) sure (?:that )?you(?:['’]re| are) (?:a human|human|not a (?:ro)?bot)|confirm (?:that )?you(?:['’]re| are) (?:a )?(?:human|not a (?:ro)?bot)|press (?:&|and) hold\\b.{0,40}(?:human|bot)\\b
  enable javascript and cookies to continue|please enable js and disable any ad ?blocker|are you a robot|unusual traffic from|complete the (?:captcha|security check)|please (?:solve|complete) (?:the|this) captcha
  ddos protection by|attention required! \\| cloudflare|pardon our interruption|sorry, you have been blocked|request unsuccessful\\. incapsula
  dass (?:sie|du) kein(?:e)? (?:roboter|bot|maschine) (?:sind|bist)|que vous n['’]êtes pas un robot|que no (?:eres|es) un robot|que você não é um robô|che non sei un robot|dat (?:u|je) geen robot b|что вы не робот
`),
  'i',
)
const CHALLENGE_TITLE =
  /^(?:just a moment\.*|attention required!.*|access denied|ddos-guard|please wait\.*|one moment, please\.*|robot check|are you human\?)$/i
const SERVICE_TITLE =
  /^(?:making sure you['’]re not a bot!|attention required! \| cloudflare|vercel security checkpoint|access to this page has been denied\.?|ddos-guard)$/i
const SERVICE_WORDS =
  /anubis|proof[- ]of[- ]work|blocked|ray id|security service|verifying|checking your browser|human|reference id|javascript/i
const LOADING =
  /^(?:(?:please wait|one moment,? please|loading|loading,? please wait|(?:the )?(?:page|app|application|site|content) is loading|bitte warten|(?:seite |inhalt )?wird geladen|(?:lade|lädt)|chargement(?: en cours)?|veuillez patienter|cargando|carregando|caricamento(?: in corso)?|laden|загрузка|加载中|読み込み中)[\s.…!]*)+$/iu

export function rejectBlockedPage(text: string, facts: PageFacts): void {
  if (isChallenge(text, facts)) throw new PageError('bot-challenge')
  if (text === '') throw new PageError('no-text')
  if (text.length <= SHORT_CHARS / 2 && NEEDS_SCRIPT.test(text)) throw new PageError('needs-script')
  if (text.length <= LOADING_CHARS && LOADING.test(text)) throw new PageError('needs-script')
}

function isChallenge(text: string, { title }: PageFacts): boolean {
  const pageTitle = (title ?? '').replace(/\s+/g, ' ').trim()
  if (text.length <= SERVICE_CHARS && SERVICE_TITLE.test(pageTitle) && SERVICE_WORDS.test(text)) return true
  if (text.length > SHORT_CHARS) return false
  return (
    CHALLENGE.test(text) ||
    (CHALLENGE_TITLE.test(pageTitle) &&
      /browser|human|robot|cookies|secur|cloudflare|captcha|ray id|permission/i.test(text))
  )
}
