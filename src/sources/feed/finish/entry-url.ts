/**
 * Where an entry leads: the link that was there before somebody counted clicks, else its link to a page, else another
 * link that says it is the entry in other form, else a guid that is an address, else the feed itself. Enclosures,
 * comments and replies are not the entry.
 */
import { createHash } from 'node:crypto'
import { collapseSpace } from '../../text/collapse-space.ts'
import type { EntryDraft } from '../draft/entry-draft.ts'
import type { WrittenGuid, WrittenLink } from '../draft/raw-link.ts'
import { firstChars, MAX_NAME_CHARS } from '../limits.ts'
import { hasWebScheme, webUrl } from './links.ts'

/** The relation of such a link; no document can write it. */
export const ORIGINAL = ' original'

/** What the relative links of an entry refer to. */
export type Surroundings = { siteUrl: string | null; readonly documentUrl: string }

/** `awaits`: what was written, where it will lead elsewhere should the feed yet say what its site is. */
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

/** `whole`: what `value` is, however long. `awaits` as that of an address. */
export type Guid = {
  value: string
  whole: string
  awaits: string | null
  permaLink: boolean | null
  base: string | null
}
const NO_GUID: Guid = { value: '', whole: '', awaits: null, permaLink: null, base: null }

/** The first of the least deep that is not empty, else what RDF says the entry is about. */
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

/** Of one that is too long its beginning and a hash of all of it: those that differ only far behind are two posts. */
export function keptGuid(whole: string): string {
  if (whole.length <= MAX_NAME_CHARS) return whole
  const hash = createHash('sha256').update(whole).digest('hex')
  return `${firstChars(whole, MAX_NAME_CHARS - hash.length - 1)}#${hash}`
}

const PATH = /^\.{0,2}\//

/** Guids are opaque, hence kept as written; only a path is resolved, since it says nothing without what it belongs to. */
function isPath(guid: string, permaLink: boolean | null): boolean {
  return permaLink !== false && PATH.test(guid)
}

/** A guid without a scheme is an address only if it says so: `1234` is not. */
function urlOfGuid({ whole, awaits, permaLink, base }: Guid, around: Surroundings): Address | null {
  if (whole === '') return null
  if (!hasWebScheme(whole)) return permaLink === true ? within(around, whole, base) : null
  const url = webUrl(whole)
  return url === null ? null : { url, awaits }
}
