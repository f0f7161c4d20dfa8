/**
 * Where an entry leads: the link that was there before somebody counted clicks, else its link to a page, else another
 * link that says it is the entry in other form, else a guid that is an address, else the feed itself. Enclosures,
 * comments and replies are not the entry.
 */

import { collapseSpace } from '../collapse-space.ts'
import type { EntryDraft } from './entry-draft.ts'
import { MAX_NAME_CHARS } from './limits.ts'
import { hasWebScheme, webUrl } from './links.ts'
import type { WrittenGuid, WrittenLink } from './written.ts'

/** The relation of such a link; no document can write it. */
export const ORIGINAL = ' original'

/** What the relative links of an entry refer to. */
export type Surroundings = {
  siteUrl: string | null
  readonly documentUrl: string
  /** One was met while the site was not known, so that it may yet come to mean something else. */
  missedSite: boolean
}

/** What of an entry says where it leads. */
export type EntryAddresses = Pick<EntryDraft, 'links' | 'guids' | 'about'>

export function entryUrl(draft: EntryAddresses, guid: Guid, around: Surroundings): string {
  return linkOf(draft, around) ?? urlOfGuid(guid, around) ?? around.documentUrl
}

function linkOf({ links }: EntryAddresses, around: Surroundings): string | null {
  let original: string | null = null
  let page: string | null = null
  let other: string | null = null
  for (let at = 0; at < links.length; at++) {
    const link = links[at] as WrittenLink
    if (link.rel === ORIGINAL) original ??= resolve(link, around)
    if (link.rel !== 'alternate' || page !== null) continue
    const url = resolve(link, around)
    if (link.type === null || link.type.includes('html')) page = url
    other ??= url
  }
  return original ?? page ?? other
}

function resolve(link: WrittenLink, around: Surroundings): string | null {
  return within(around, typeof link.href === 'string' ? link.href : link.href.value(), link.base)
}

function within(around: Surroundings, written: string, base: string | null): string | null {
  if (around.siteUrl === null && base === null && !hasWebScheme(written)) around.missedSite = true
  return webUrl(written, base, around.siteUrl, around.documentUrl)
}

export type Guid = { value: string; permaLink: boolean | null; base: string | null }
const NO_GUID: Guid = { value: '', permaLink: null, base: null }

/** The first of the least deep that is not empty, else what RDF says the entry is about. */
export function guidOf(draft: EntryAddresses, around: Surroundings): Guid {
  const { guids } = draft
  const ranked = guids.length > 1 ? guids.toSorted((a, b) => a.depth - b.depth) : guids
  for (let at = 0; at < ranked.length; at++) {
    const { text, permaLink, base } = ranked[at] as WrittenGuid
    const value = collapseSpace(typeof text === 'string' ? text : text.asWritten(), MAX_NAME_CHARS)
    if (value !== '') return { value: withItsHost(value, permaLink, base, around), permaLink, base }
  }
  return draft.about === null
    ? NO_GUID
    : { value: collapseSpace(draft.about, MAX_NAME_CHARS), permaLink: null, base: null }
}

const PATH = /^\.{0,2}\//

/** Opaque, hence as written; only a path is resolved, since it says nothing without what it belongs to. */
function withItsHost(guid: string, permaLink: boolean | null, base: string | null, around: Surroundings): string {
  if (permaLink === false || !PATH.test(guid)) return guid
  return within(around, guid, base) ?? guid
}

/** A guid without a scheme is an address only if it says so: `1234` is not. */
function urlOfGuid({ value, permaLink, base }: Guid, around: Surroundings): string | null {
  if (value === '') return null
  if (hasWebScheme(value)) return webUrl(value)
  return permaLink === true ? within(around, value, base) : null
}
