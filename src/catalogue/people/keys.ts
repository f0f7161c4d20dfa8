// Per-user keys of providers: sealed when they come in, never shown again.
// See docs/decisions/0064-new-x-key-closes-the-breaker.md
import type { z } from 'zod'
import { type NewEvent, sourceEnabled } from '../../domain/event.ts'
import { GOOD_HEALTH, wasDisabledFor } from '../../domain/health.ts'
import { CLOSED_BREAKER } from '../../domain/host.ts'
import { ownerLane } from '../../domain/lane.ts'
import { Problem } from '../../domain/problem.ts'
import { madeDue } from '../../domain/schedule.ts'
import type { SourceTypeDescriptor } from '../../domain/source-type.ts'
import { findUser } from '../find.ts'
import type { CatalogueParts } from '../parts.ts'
import type { KeyView } from '../shapes/answers.ts'
import { keyInput } from '../shapes/schemas.ts'
import { readInput } from '../shapes/validate.ts'
import { isoOrNull } from '../shapes/views.ts'
import { eachSource } from '../sources/each-source.ts'

export interface KeyCatalogue {
  put(userId: string, provider: string, input: z.input<typeof keyInput>): Promise<void>
  status(userId: string, provider: string): Promise<KeyView>
  remove(userId: string, provider: string): Promise<void>
}

export function createKeys(parts: CatalogueParts): KeyCatalogue {
  const { store, secrets, clock, types } = parts

  async function checkPlace(userId: string, provider: string): Promise<void> {
    if (!types.keyProviders.includes(provider)) {
      throw new Problem('not-found', `There is no such provider; known are: ${types.keyProviders.join(', ')}.`)
    }
    await findUser(store, userId)
  }

  return {
    async put(userId, provider, input) {
      const { apiKey } = readInput(keyInput, input, ['provider', 'configured', 'updatedAt'])
      await checkPlace(userId, provider)
      await store.putKey(await secrets.seal({ scope: 'key', ownerId: userId, name: provider }, apiKey, clock.now()))
      for (const type of types.all.filter(({ keyProvider }) => keyProvider === provider)) {
        await forgetFailures(parts, userId, type)
        await planSources(parts, userId, type)
      }
    },
    async status(userId, provider) {
      await checkPlace(userId, provider)
      const row = await store.getSecret('key', userId, provider)
      return { provider, configured: row !== null, updatedAt: isoOrNull(row?.updatedAt ?? null) }
    },
    async remove(userId, provider) {
      await checkPlace(userId, provider)
      if (!(await store.removeSecret('key', userId, provider))) {
        throw new Problem('not-found', `No key for ${provider} is stored.`)
      }
    },
  }
}

/** Names of failures that a key may end: there was none, or the provider refused it. */
const ENDED_BY_A_KEY = ['missing-key', '401', '403']

/**
 * With a key they can be asked at last: now rather than at the end of their backoff. Those that were disabled for want of
 * a key, or because the provider refused it, are enabled. The version goes up, so that what the provider still says to
 * another key counts for nothing.
 */
function planSources(
  { store, clock }: CatalogueParts,
  userId: string,
  { name: type }: SourceTypeDescriptor,
): Promise<void> {
  const now = clock.now()
  return eachSource(store, { podcastId: null, userId, type }, ({ id }) =>
    store.changeSource(id, (row) => {
      const due = { ...madeDue(now), version: row.version + 1 }
      if (row.enabled) return { set: due, events: [] }
      if (!wasDisabledFor(row, ENDED_BY_A_KEY)) return null
      return {
        set: { ...due, ...GOOD_HEALTH, enabled: true },
        events: [sourceEnabled(row, now, 'a new key was stored')],
      }
    }),
  )
}

/**
 * What opened the breaker of the owner's lane was said about another key. When the service asked to be left alone, that
 * stays. A host's lane is shared by all owners, so no key of one of them says anything about it.
 */
async function forgetFailures(
  { store, clock }: CatalogueParts,
  userId: string,
  type: SourceTypeDescriptor,
): Promise<void> {
  if (type.lane === 'host') return
  const lane = ownerLane(type.lane.service, userId)
  await store.recoverHost(lane, ({ breaker }, { sources }) => {
    if (breaker.inARow === 0 && breaker.state === 'closed') return null
    const about = { at: clock.now(), userId, podcastId: null, sourceId: null, host: lane }
    const data = { reason: 'a new key was stored', sources, since: isoOrNull(breaker.since) } as const
    const events: NewEvent[] = breaker.state === 'closed' ? [] : [{ ...about, type: 'host.closed', data }]
    return { host: { breaker: CLOSED_BREAKER }, recover: null, events }
  })
}
