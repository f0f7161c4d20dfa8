/**
 * Link blogs give every entry the same description ("Comments"). Posts are told apart by their bodies, so all but the
 * first would be lost. If at least three entries share a short body under different titles, the title of each is put
 * before its body. An entry whose title was made from its body, or the reverse, is counted but not changed.
 */
import type { FeedEntry } from '../feed-document.ts'

type Sharing = { entries: number; title: string; hasSeveralTitles: boolean }
const SHORT_CHARS = 200
const ENTRIES_TO_SHARE = 3

/** `halves`: the entries whose title was made from their body, or the reverse. */
export function separateBoilerplate(entries: FeedEntry[], halves: readonly FeedEntry[]): FeedEntry[] {
  const sharing = sharedBodies(entries)
  if (!Array.from(sharing.values()).some(isBoilerplate)) return entries
  const unchanged = new Set(halves)
  return entries.map((entry) => {
    const group = unchanged.has(entry) ? undefined : sharing.get(entry.body)
    if (!group || !isBoilerplate(group)) return entry
    return { ...entry, body: `${entry.title}\n\n${entry.body}` }
  })
}

function sharedBodies(entries: readonly FeedEntry[]): Map<string, Sharing> {
  const sharing = new Map<string, Sharing>()
  for (let at = 0; at < entries.length; at++) {
    const { title, body } = entries[at] as FeedEntry
    if (body === '' || !isShort(body)) continue
    const group = sharing.get(body)
    if (group === undefined) sharing.set(body, { entries: 1, title, hasSeveralTitles: false })
    else {
      group.entries++
      if (title !== group.title) group.hasSeveralTitles = true
    }
  }
  return sharing
}

function isBoilerplate({ entries, hasSeveralTitles }: Sharing): boolean {
  return entries >= ENTRIES_TO_SHARE && hasSeveralTitles
}

/** Counts whole characters, some of which are two UTF-16 units. */
function isShort(body: string): boolean {
  if (body.length <= SHORT_CHARS) return true
  if (body.length > 2 * SHORT_CHARS) return false
  let chars = 0
  for (let at = 0; at < body.length; at += (body.codePointAt(at) as number) > 0xffff ? 2 : 1) chars++
  return chars <= SHORT_CHARS
}
