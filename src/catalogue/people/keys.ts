// Per-user keys of providers: sealed when they come in, never shown again.
import type { z } from 'zod'
import type { NewEvent } from '../../domain/event.ts'
import { CLOSED_BREAKER } from '../../domain/host.ts'
import { Problem } from '../../domain/problem.ts'
import { findUser } from '../find.ts'
import type { CatalogueParts } from '../parts.ts'
import type { KeyView } from '../shapes/answers.ts'
import { keyInput, PROVIDERS } from '../shapes/schemas.ts'
import { readInput } from '../shapes/validate.ts'
import { isoOrNull } from '../shapes/views.ts'
import { eachSource } from '../sources/each-source.ts'

export interface KeyCatalogue {
  put(userId: string, provider: string, input: z.input<typeof keyInput>): Promise<void>
  status(userId: string, provider: string): Promise<KeyView>
  remove(userId: string, provider: string): Promise<void>
}

export function createKeys(parts: CatalogueParts): KeyCatalogue {
  const { store, secrets, clock } = parts

  async function checkPlace(userId: string, provider: string): Promise<void> {
    if (!PROVIDERS.some((known) => known === provider)) {
      throw new Problem('not-found', `There is no such provider; known are: ${PROVIDERS.join(', ')}.`)
    }
    await findUser(store, userId)
  }

  return {
    async put(userId, provider, input) {
      const { apiKey } = readInput(keyInput, input, ['provider', 'configured', 'updatedAt'])
      await checkPlace(userId, provider)
      await store.putKey(await secrets.seal({ scope: 'key', ownerId: userId, name: provider }, apiKey, clock.now()))
      await forgetFailures(parts, userId)
      await planXSources(parts, userId)
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

/**
 * With a key they can be asked at last: now rather than at the end of their backoff. The version goes up, so that
 * what X still says to another key counts for nothing.
 */
function planXSources({ store, clock }: CatalogueParts, userId: string): Promise<void> {
  const nextPollAt = clock.now()
  return eachSource(store, { podcastId: null, userId, type: 'twitter' }, ({ id }) =>
    store.changeSource(id, (row) =>
      row.enabled ? { set: { nextPollAt, version: row.version + 1 }, events: [] } : null,
    ),
  )
}

/** What opened the breaker of the owner's lane was said about another key. When X asked to be left alone, that stays. */
async function forgetFailures({ store, clock }: CatalogueParts, userId: string): Promise<void> {
  const lane = `x:${userId}`
  await store.recoverHost(lane, ({ breaker }, { sources }) => {
    if (breaker.inARow === 0) return null
    const about = { at: clock.now(), userId, podcastId: null, sourceId: null, host: lane }
    const data = { reason: 'a new key was stored', sources, since: isoOrNull(breaker.since) } as const
    const events: NewEvent[] = breaker.state === 'closed' ? [] : [{ ...about, type: 'host.closed', data }]
    return { host: { breaker: CLOSED_BREAKER }, recover: null, events }
  })
}
