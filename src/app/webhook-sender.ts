// The sender of messages to webhooks and notifiers, from the parts of a process.
import { randomUUID } from 'node:crypto'
import { WebhookSender } from '../announce/webhook-sender.ts'
import { payloadOf } from '../catalogue/people/webhooks.ts'
import type { Log } from '../ports/log.ts'
import type { Foundation } from './foundation.ts'

export function createWebhookSender({ store, clock, fetcher, secrets, config }: Foundation, log: Log): WebhookSender {
  const newMessageId = () => `msg_${randomUUID()}`
  return new WebhookSender({ store, clock, fetcher, secrets, mail: config.mail, log, newMessageId, payloadOf })
}
