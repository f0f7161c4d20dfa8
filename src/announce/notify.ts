// Sends one notification by ntfy, a Slack-compatible address (Slack, Mattermost, Discord's /slack) or mail. Addresses are
// guarded like those of webhooks. The mail server is the operator's own.
import { credentialsIn, withoutCredentials } from '../domain/address.ts'
import type { Webhook } from '../domain/webhook.ts'
import type { Config } from '../ports/config.ts'
import type { Fetcher, FetchResult } from '../ports/fetcher.ts'
import { type Notification, notificationOf } from './notification.ts'

export interface NotifyParts {
  readonly fetcher: Fetcher
  readonly mail: Config['mail']
}

export async function notify(
  { kind, trusted }: Pick<Webhook, 'kind' | 'trusted'>,
  target: string,
  payload: string,
  { fetcher, mail }: NotifyParts,
  signal: AbortSignal,
): Promise<FetchResult | { readonly kind: 'mailed'; readonly error: string | null }> {
  const notification = notificationOf(payload)
  if (kind === 'email') return { kind: 'mailed', error: await sendMail(mail, target, notification) }
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

const MAIL_LIMIT_MS = 10_000

async function sendMail(mail: Config['mail'], to: string, { title, text }: Notification): Promise<string | null> {
  if (mail.url === null || mail.from === null) return 'app.mail.url and app.mail.from are not configured'
  // Only here: most installations send no mail.
  const { createTransport } = await import('nodemailer')
  const limits = { connectionTimeout: MAIL_LIMIT_MS, greetingTimeout: MAIL_LIMIT_MS, socketTimeout: MAIL_LIMIT_MS }
  const transport = createTransport({ url: mail.url, ...limits })
  try {
    await transport.sendMail({ from: mail.from, to: { name: '', address: to }, subject: title, text })
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    transport.close()
  }
}
