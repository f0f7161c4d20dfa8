/**
 * Chooses the URL of an entry: the original link behind a click counter, else its link to a page, else another alternate
 * link, else a guid that is an address, else the feed itself. Links to enclosures, comments and replies do not count.
 */
import { createHash } from 'node:crypto'
import { collapseSpace } from '../../text/collapse-space.ts'
import type { EntryDraft } from '../draft/entry-draft.ts'
import type { WrittenGuid, WrittenLink } from '../draft/written-values.ts'
import { firstChars, MAX_NAME_CHARS } from '../limits.ts'
import { hasWebScheme, webUrl } from './links.ts'

/** The relation of an original link. The leading space makes sure that no document can state it. */
export const ORIGINAL = ' original'

/** The bases for the relative links of an entry. */
export type Surroundings = { siteUrl: string | null; readonly documentUrl: string }

/** `awaits`: the address as written, if it must be resolved again when the feed states its site later. */
export type Address = { url: string; awaits: string | null }

export function entryUrl(draft: EntryDraft, guid: Guid, around: Surroundings): Address {
  return linkOf(draft, around) ?? urlOfGuid(guid, around) ?? { url: around.documentUrl, awaits: null }
}

function linkOf({ links }: EntryDraft, around: Surroundings): Address | null {
  let original: Address | null = null
  let page: Address | null = null
  let other: Address | null = null
  for (let at = 0; at < links.length; at++) {
    const link = links[at] as WrittenLink
    if (link.rel === ORIGINAL) original ??= resolve(link, around)
    if (link.rel !== 'alternate' || page !== null) continue
    const address = resolve(link, around)
    if (link.type === null || link.type.includes('html')) page = address
    other ??= address
  }
  return original ?? page ?? other
}

function resolve(link: WrittenLink, around: Surroundings): Address | null {
  return within(around, typeof link.href === 'string' ? link.href : link.href.value(), link.base)
}

function within({ siteUrl, documentUrl }: Surroundings, written: string, base: string | null): Address | null {
  const url = webUrl(written, base, siteUrl, documentUrl)
  if (url === null) return null
  return { url, awaits: siteUrl === null && base === null && !hasWebScheme(written) ? written : null }
}

/** `whole`: the guid before it was shortened to `value`. `awaits`: as in `Address`. */
export type Guid = {
  value: string
  whole: string
  awaits: string | null
  permaLink: boolean | null
  base: string | null
}
const NO_GUID: Guid = { value: '', whole: '', awaits: null, permaLink: null, base: null }

/** The first guid that is not empty, the least deep first, else the `rdf:about` of the entry. */
export function guidOf(draft: EntryDraft, around: Surroundings): Guid {
  const { guids } = draft
  const ranked = guids.length > 1 ? guids.toSorted((a, b) => a.depth - b.depth) : guids
  for (let at = 0; at < ranked.length; at++) {
    const { text, permaLink, base } = ranked[at] as WrittenGuid
    const written = collapseSpace(typeof text === 'string' ? text : text.asWritten())
    if (written === '') continue
    const address = isPath(written, permaLink) ? within(around, written, base) : null
    const whole = address?.url ?? written
    return { value: keptGuid(whole), whole, awaits: address?.awaits ?? null, permaLink, base }
  }
  if (draft.about === null) return NO_GUID
  const whole = collapseSpace(draft.about)
  return { ...NO_GUID, value: keptGuid(whole), whole }
}

/** Shortens a long guid to its beginning and a hash of the whole, so that guids that differ at the end stay different. */
export function keptGuid(whole: string): string {
  if (whole.length <= MAX_NAME_CHARS) return whole
  const hash = createHash('sha256').update(whole).digest('hex')
  return `${firstChars(whole, MAX_NAME_CHARS - hash.length - 1)}#${hash}`
}

const PATH = /^\.{0,2}\//

/** Guids are opaque and kept as written. Only a path is resolved, because it means nothing without its site. */
function isPath(guid: string, permaLink: boolean | null): boolean {
  return permaLink !== false && PATH.test(guid)
}

/** A guid without a scheme, such as `1234`, is an address only if it is marked as a permalink. */
function urlOfGuid({ whole, awaits, permaLink, base }: Guid, around: Surroundings): Address | null {
  if (whole === '') return null
  if (!hasWebScheme(whole)) return permaLink === true ? within(around, whole, base) : null
  const url = webUrl(whole)
  return url === null ? null : { url, awaits }
}
