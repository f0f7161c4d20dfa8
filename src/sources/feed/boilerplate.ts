/**
 * Link blogs give every entry the same description ("Comments"). Since posts are told apart by their bodies, all but
 * the first would be lost. When at least three entries share a short body under different titles, each gets its title
 * put before it. One whose title was made of that body is among those that share it, but has nothing to put before it.
 */
import type { FeedEntry } from './feed-document.ts'
import { firstChars, TITLE_FROM_BODY_CHARS } from './limits.ts'

type Sharing = { entries: number; title: string; hasSeveralTitles: boolean }
const SHORT_CHARS = 200
const ENTRIES_TO_SHARE = 3

/** `untitled`: those whose title was made of their body. */
export function separateBoilerplate(entries: FeedEntry[], untitled: readonly FeedEntry[]): FeedEntry[] {
  const sharing = sharedBodies(entries)
  if (sharing.size > 0) countUntitled(sharing, untitled)
  if (!Array.from(sharing.values()).some(isBoilerplate)) return entries
  return entries.map((entry) => {
    const group = hasOwnShortBody(entry) ? sharing.get(entry.body) : undefined
    if (!group || !isBoilerplate(group)) return entry
    return { ...entry, body: `${entry.title}\n\n${entry.body}` }
  })
}

function sharedBodies(entries: readonly FeedEntry[]): Map<string, Sharing> {
  const sharing = new Map<string, Sharing>()
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at] as FeedEntry
    if (!hasOwnShortBody(entry)) continue
    const { title, body } = entry
    const group = sharing.get(body)
    if (group === undefined) sharing.set(body, { entries: 1, title, hasSeveralTitles: false })
    else {
      group.entries++
      if (title !== group.title) group.hasSeveralTitles = true
    }
  }
  return sharing
}

/** A title made of the body is another than those of the entries that have their own. */
function countUntitled(sharing: Map<string, Sharing>, untitled: readonly FeedEntry[]): void {
  for (let at = 0; at < untitled.length; at++) {
    const group = sharing.get((untitled[at] as FeedEntry).body)
    if (group === undefined) continue
    group.entries++
    group.hasSeveralTitles = true
  }
}

function isBoilerplate({ entries, hasSeveralTitles }: Sharing): boolean {
  return entries >= ENTRIES_TO_SHARE && hasSeveralTitles
}

/** A body made of the title, or a title that repeats how the body begins, says nothing about boilerplate. */
function hasOwnShortBody({ title, body }: FeedEntry): boolean {
  if (body === '' || body.length > SHORT_CHARS || body === title) return false
  return title !== firstChars(body, TITLE_FROM_BODY_CHARS)
}
