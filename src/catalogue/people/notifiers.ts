// The notifiers of a user: who is told of what happens, in words. Targets are secrets: whoever knows the address of a
// channel can write to it.
import type { z } from 'zod'
import { hasCredentials, hostOf, isHttp } from '../../domain/address.ts'
import type { EventType } from '../../domain/event.ts'
import { Problem } from '../../domain/problem.ts'
import { NOTIFIED_BY_DEFAULT, type NotifierKind, type Webhook } from '../../domain/webhook.ts'
import type { Config } from '../../ports/config.ts'
import type { SecretRow } from '../../ports/secret-store.ts'
import type { DeliveryOutcome } from '../../ports/webhook-store.ts'
import { BY_OPERATOR, type By, mostFor } from '../acting.ts'
import type { List } from '../shapes/paging.ts'
import { pageQuery } from '../shapes/schemas.ts'
import { invalidInput, readInput } from '../shapes/validate.ts'
import { iso, isoOrNull } from '../shapes/views.ts'
import type { NotifierView } from '../shapes/webhook-answers.ts'
import { NOTIFIER_READ_ONLY, notifierInput, notifierPatch } from '../shapes/webhook-schemas.ts'
import type { WebhookCatalogueParts } from './webhooks.ts'

export interface NotifierCatalogue {
  create(userId: string, input: z.input<typeof notifierInput>, by?: By): Promise<NotifierView>
  list(userId: string, query?: z.input<typeof pageQuery>): Promise<List<NotifierView>>
  get(userId: string, id: string): Promise<NotifierView>
  update(userId: string, id: string, input: z.input<typeof notifierPatch>): Promise<NotifierView>
  remove(userId: string, id: string): Promise<void>
  /** Sends a test message at once; throws the problem delivery-failed with the reason if it does not arrive. */
  test(userId: string, id: string): Promise<{ delivered: true }>
}

export type NotifierParts = Omit<WebhookCatalogueParts, 'config'> & { readonly config: Pick<Config, 'limits' | 'mail'> }
type Notifier = Webhook & { readonly kind: NotifierKind }

const SUMMARY: readonly EventType[] = ['summary.daily']
const NO_SUCH = 'There is no such notifier.'

export function createNotifiers(parts: NotifierParts): NotifierCatalogue {
  const { store, secrets, clock, newId, config, sendToWebhook } = parts
  async function notifierOf(userId: string, id: string): Promise<Notifier> {
    const found = await store.getWebhook(userId, id)
    if (!found || !isNotifier(found)) throw new Problem('not-found', NO_SUCH)
    return found
  }
  const viewOf = async (notifier: Notifier): Promise<NotifierView> => {
    const { pending, deadLetters } = await store.countDeliveries(notifier.id)
    const isFailing = notifier.failures > 0 || deadLetters > 0
    return {
      ...viewed(notifier),
      pending,
      deadLetters,
      lastError: isFailing ? await store.lastDeliveryError(notifier.id) : null,
    }
  }
  const sealed = (id: string, target: string): Promise<SecretRow> =>
    secrets.seal({ scope: 'webhook', ownerId: id, name: 'target' }, target, clock.now())

  return {
    async create(userId, input, by = BY_OPERATOR) {
      const { kind, target, types, summaryOnly } = readInput(notifierInput, input, NOTIFIER_READ_ONLY)
      refuseTarget(kind, target, config)
      if (!(await store.getUser(userId))) throw new Problem('not-found', 'There is no such user.')
      const notifier: Notifier = {
        ...{ id: newId(), kind, userId, url: shownTarget(kind, target), trusted: by.admin, createdAt: clock.now() },
        ...{ types: summaryOnly ? SUMMARY : (types ?? NOTIFIED_BY_DEFAULT), includePosts: false },
        ...{ failures: 0, disabledAt: null, disabledReason: null },
      }
      await store.addWebhook(notifier, await sealed(notifier.id, target), mostFor(by, config.limits.webhooks))
      return viewOf(notifier)
    },
    async list(userId, query = {}) {
      const { limit, cursor = null } = readInput(pageQuery, query)
      const { items, nextCursor } = await store.listWebhooks(userId, { limit, cursor }, 'notifiers')
      return { items: await Promise.all(items.filter(isNotifier).map(viewOf)), nextCursor }
    },
    get: async (userId, id) => viewOf(await notifierOf(userId, id)),
    async update(userId, id, input) {
      const { kind } = await notifierOf(userId, id)
      const given = readInput(notifierPatch, input, [...NOTIFIER_READ_ONLY, 'kind'])
      const isGiven = (field: string): boolean => Object.hasOwn(input, field)
      if (given.target !== undefined) refuseTarget(kind, given.target, config)
      const types = given.summaryOnly ? SUMMARY : (given.types ?? NOTIFIED_BY_DEFAULT)
      const change = {
        ...(given.target !== undefined && { url: shownTarget(kind, given.target) }),
        ...((isGiven('types') || isGiven('summaryOnly')) && { types }),
      }
      const target = given.target === undefined ? null : await sealed(id, given.target)
      const changed = await store.changeNotifier(userId, id, change, target)
      if (!changed || !isNotifier(changed)) throw new Problem('not-found', NO_SUCH)
      return viewOf(changed)
    },
    async remove(userId, id) {
      await notifierOf(userId, id)
      if (!(await store.removeWebhook(userId, id))) throw new Problem('not-found', NO_SUCH)
    },
    async test(userId, id) {
      const at = iso(clock.now())
      const data = { type: TEST, at, message: 'A test message of Tidings.' }
      const payload = JSON.stringify({ type: TEST, timestamp: at, data })
      const sent = await sendToWebhook?.(await notifierOf(userId, id), payload)
      if (sent?.kind === 'delivered') return { delivered: true }
      throw new Problem('delivery-failed', `The test message did not arrive: ${reasonOf(sent)}.`)
    },
  }
}

const TEST = 'notifier.test'

function reasonOf(sent: DeliveryOutcome | undefined): string {
  return sent !== undefined && 'error' in sent ? sent.error : 'this process sends no messages'
}

function isNotifier(webhook: Webhook): webhook is Notifier {
  return webhook.kind !== 'webhook'
}

function viewed(notifier: Notifier): Omit<NotifierView, 'pending' | 'deadLetters' | 'lastError'> {
  const { id, kind, url: target, types, disabledReason, failures } = notifier
  const summaryOnly = types.length === 1 && types[0] === SUMMARY[0]
  const stamps = { createdAt: iso(notifier.createdAt), disabledAt: isoOrNull(notifier.disabledAt) }
  return { id, kind, target, types: [...types], summaryOnly, ...stamps, disabledReason, failures }
}

/** A colon is allowed in the part that names the server (an IPv6 address), not in front: `mailto:` is no part of an address. */
const MAIL_ADDRESS = /^[^\s@<>,;:"]+@[^\s@<>,;"]+$/

/** The message does not repeat what was given: a target is never shown. */
function refuseTarget(kind: NotifierKind, target: string, { mail }: Pick<Config, 'mail'>): void {
  const refuse = (message: string) => invalidInput([{ path: 'target', message }])
  if (kind === 'email') {
    if (!MAIL_ADDRESS.test(target)) throw refuse('expected one mail address')
    if (mail.url === null || mail.from === null) {
      const message = 'no mail can be sent: configure app.mail.url and app.mail.from'
      throw invalidInput([{ path: 'kind', message }])
    }
    return
  }
  const address = URL.parse(target)
  if (!address || !isHttp(address)) throw refuse('expected an http or https URL')
  if (kind === 'slack' && hasCredentials(address)) throw refuse('expected a URL without user and password')
}

function shownTarget(kind: NotifierKind, target: string): string {
  if (kind === 'email') return target
  if (kind === 'slack') return hostOf(target) ?? ''
  const { origin, pathname } = new URL(target)
  return origin + pathname
}
