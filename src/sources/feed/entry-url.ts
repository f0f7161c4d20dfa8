/**
 * Where an entry leads: its link to a page, else another link that says it is the entry in other form, else a guid
 * that is an address, else the feed itself. Enclosures, comments and replies are not the entry.
 */

import { collapseSpace } from '../collapse-space.ts'
import type { EntryDraft } from './entry-draft.ts'
import { MAX_NAME_CHARS } from './limits.ts'
import { isWebUrl, webUrl } from './links.ts'
import type { WrittenLink } from './written.ts'

export type Surroundings = { siteUrl: string | null; documentUrl: string }

export function entryUrl(draft: EntryDraft, guid: string, around: Surroundings): string {
  return linkOf(draft, around) ?? urlOfGuid(draft, guid, around) ?? around.documentUrl
}

function linkOf(draft: EntryDraft, around: Surroundings): string | null {
  let other: string | null = null
  for (const link of draft.links) {
    if (link.rel !== 'alternate') continue
    const url = resolve(link, around)
    if (url === null) continue
    if (link.type === null || link.type.includes('html')) return url
    other ??= url
  }
  return other
}

function resolve(link: WrittenLink, around: Surroundings): string | null {
  const written = typeof link.href === 'string' ? link.href : link.href.value()
  return webUrl(written, link.base, around.siteUrl, around.documentUrl)
}

/** Opaque, hence as written; only a path is resolved, since it says nothing without what it belongs to. */
export function guidOf(draft: EntryDraft, around: Surroundings): string {
  const written = draft.guid
  if (!written) return draft.about ?? ''
  const guid = collapseSpace(typeof written.text === 'string' ? written.text : written.text.asWritten(), MAX_NAME_CHARS)
  if (written.permaLink === false || !PATH.test(guid)) return guid
  return webUrl(guid, written.base, around.siteUrl, around.documentUrl) ?? guid
}

const PATH = /^\.{0,2}\//

/** A guid without a scheme is an address only if it says so: `1234` is not. */
function urlOfGuid(draft: EntryDraft, guid: string, around: Surroundings): string | null {
  if (guid === '') return null
  if (isWebUrl(guid)) return webUrl(guid)
  const written = draft.guid
  if (written?.permaLink !== true) return null
  return webUrl(guid, written.base, around.siteUrl, around.documentUrl)
}
