/**
 * Link blogs give every entry the same description ("Comments"). Since posts are told apart by their bodies, all but
 * the first would be lost. When at least three entries share a short body under different titles, each gets its title
 * put before it. One whose title was made of that body, or whose body of its title, is among those that share it, but
 * has nothing to put before it.
 */
import type { FeedEntry } from '../feed-document.ts'

type Sharing = { entries: number; title: string; hasSeveralTitles: boolean }
const SHORT_CHARS = 200
const ENTRIES_TO_SHARE = 3

/** `halves`: those whose title was made of their body, or the other way round. */
export function separateBoilerplate(entries: FeedEntry[], halves: readonly FeedEntry[]): FeedEntry[] {
  const sharing = sharedBodies(entries)
  if (!Array.from(sharing.values()).some(isBoilerplate)) return entries
  const saidOnce = new Set(halves)
  return entries.map((entry) => {
    const group = saidOnce.has(entry) ? undefined : sharing.get(entry.body)
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

/** In whole characters, of which some are two units. */
function isShort(body: string): boolean {
  if (body.length <= SHORT_CHARS) return true
  if (body.length > 2 * SHORT_CHARS) return false
  let chars = 0
  for (let at = 0; at < body.length; at += (body.codePointAt(at) as number) > 0xffff ? 2 : 1) chars++
  return chars <= SHORT_CHARS
}
