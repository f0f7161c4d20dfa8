// A podcast cannot have the same address twice.
import type { SourceAddress } from '../../domain/address.ts'
import { Problem } from '../../domain/problem.ts'
import type { Store } from '../../ports/store.ts'

/** Called before the address is tested, because a duplicate is refused without a request. */
export async function refuseDuplicate(
  store: Pick<Store, 'listSources'>,
  podcastId: string,
  address: SourceAddress,
  except?: string,
): Promise<void> {
  const { items } = await store.listSources({ podcastId, url: address.urlKey, limit: 2, cursor: null })
  const existing = items.find((source) => source.id !== except)
  if (existing) throw sourceExists(address.url, existing.id)
}

export function sourceExists(url: string, existingId?: string): Problem {
  const which = existingId ? ` It is source ${existingId}.` : ''
  return new Problem('source-exists', `You already follow this address: ${url}.${which}`, [
    { path: 'url', message: 'expected an address that the podcast does not have yet' },
  ])
}
