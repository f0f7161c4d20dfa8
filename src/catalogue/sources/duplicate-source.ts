// A podcast has an address once.
import type { SourceAddress } from '../../domain/address.ts'
import { Problem } from '../../domain/problem.ts'
import type { Store } from '../../ports/store.ts'

/** Before anybody is asked: a second source for the same address needs no request to be refused. */
export async function refuseTwin(
  store: Pick<Store, 'listSources'>,
  podcastId: string,
  address: SourceAddress,
  except?: string,
): Promise<void> {
  const { items } = await store.listSources({ podcastId, url: address.urlKey, limit: 2, cursor: null })
  const twin = items.find((source) => source.id !== except)
  if (twin) throw sourceExists(address.url, twin.id)
}

export function sourceExists(url: string, twinId?: string): Problem {
  const which = twinId ? ` It is source ${twinId}.` : ''
  return new Problem('source-exists', `The podcast already has ${url}.${which}`, [
    { path: 'url', message: 'expected an address that the podcast does not have yet' },
  ])
}
