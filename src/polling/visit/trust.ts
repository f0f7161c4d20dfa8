// Trust belongs to the address that a person typed, not to where it leads: redirects, alternate links, feeds that were
// discovered, pages behind entries.
// See docs/decisions/0125-trust-does-not-follow-a-hop.md
import { hostOf } from '../../domain/address.ts'
import type { Source } from '../../domain/source.ts'
import type { Trust } from '../../ports/fetcher.ts'

export function trustIn(
  url: string,
  { trusted, typedHost, url: given }: Pick<Source, 'trusted' | 'typedHost' | 'url'>,
): Trust {
  if (!trusted) return false
  const typed = typedHost ?? hostOf(given)
  if (typed === null) return false
  return hostOf(url) === typed ? true : { typedHost: typed }
}

/** The credentials of a source's URL go to its own host only, and never from https to http. */
export function mayCarryCredentials(url: string, { url: given }: Pick<Source, 'url'>): boolean {
  const downgraded = given.startsWith('https:') && !url.startsWith('https:')
  return hostOf(url) === hostOf(given) && !downgraded
}
