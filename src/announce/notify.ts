// Sends one notification by ntfy, a Slack-compatible address (Slack, Mattermost, Discord's /slack) or mail. Addresses are
// guarded like those of webhooks. The mail server is the operator's own.
import { credentialsIn, withoutCredentials } from '../domain/address.ts'
import type { Delivery, Webhook } from '../domain/webhook.ts'
import type { Config } from '../ports/config.ts'
import type { Fetcher, FetchResult } from '../ports/fetcher.ts'
import { notificationOf } from './notification.ts'
import { type MailResult, sendMail } from './send-mail.ts'

export interface NotifyParts {
  readonly fetcher: Fetcher
  readonly mail: Config['mail']
}

export async function notify(
  { kind, trusted }: Pick<Webhook, 'kind' | 'trusted'>,
  target: string,
  { payload, messageId }: Pick<Delivery, 'payload' | 'messageId'>,
  { fetcher, mail }: NotifyParts,
  signal: AbortSignal,
): Promise<FetchResult | MailResult> {
  const notification = notificationOf(payload)
  if (kind === 'email') return sendMail(mail, target, { ...notification, messageId }, signal)
  const address = new URL(target)
  const common = {
    url: withoutCredentials(address).href,
    accept: 'any',
    trusted,
    followRedirects: false,
    signal,
  } as const
  if (kind === 'slack') {
    const body = JSON.stringify({ text: escaped(`*${notification.title}*\n${notification.text}`) })
    return fetcher.fetch({ ...common, post: { body, contentType: 'application/json' } })
  }
  return fetcher.fetch({
    ...common,
    basicAuth: credentialsIn(address) ?? undefined,
    headers: { title: notification.title },
    post: { body: notification.text, contentType: 'text/plain; charset=utf-8' },
  })
}

/** Slack reads these three as markup. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
