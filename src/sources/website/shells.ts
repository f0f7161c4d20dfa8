/**
 * Pages that answer 200 and say nothing: the shell of an application that needs JavaScript, a bot challenge.
 * Kept as posts they would look like news; refused they are a failure with a reason. Only short pages are suspected.
 */
import { PageError } from './page-error.ts'
import type { PageFacts } from './page-facts.ts'

const SHORT_CHARS = 600
const NEEDS_SCRIPT =
  /(?:enable|activate|turn on|requires?|need|needs|without|aktivieren|activer|activar|habilit\p{L}*|включите)\b[^.]{0,60}java\s?script|java\s?script[^.]{0,40}(?:enabled|required|disabled|aktivier|activ|habilit|включ|deaktiviert|désactivé)/iu
const CHALLENGE =
  /verify(?:ing)? (?:that )?you are (?:a )?human|checking (?:your browser|if the site connection is secure)|enable javascript and cookies to continue|are you a robot|unusual traffic from|complete the (?:captcha|security check)|please (?:solve|complete) (?:the|this) captcha|ddos protection by|attention required! \| cloudflare|pardon our interruption/i
const CHALLENGE_TITLE =
  /^(?:just a moment\.*|attention required!.*|access denied|ddos-guard|please wait\.*|one moment, please\.*|robot check|are you human\?)$/i

export function refuseShell(text: string, facts: PageFacts): void {
  if (
    text.length <= SHORT_CHARS &&
    (CHALLENGE.test(text) ||
      (CHALLENGE_TITLE.test(facts.title ?? '') &&
        /browser|human|robot|cookies|secur|cloudflare|captcha|ray id|permission/i.test(text)))
  ) {
    throw new PageError('bot-challenge')
  }
  if (text === '') throw new PageError('no-text')
  if (text.length <= SHORT_CHARS / 2 && NEEDS_SCRIPT.test(text)) throw new PageError('needs-script')
}
