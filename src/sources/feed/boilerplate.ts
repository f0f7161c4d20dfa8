/**
 * Link blogs give every entry the same description ("Comments"). Since posts are told apart by their bodies, all but
 * the first would be lost. When at least three entries share a short body under different titles, each gets its title
 * put before it.
 */
import type { FeedEntry } from './feed-document.ts'
import { firstChars, TITLE_FROM_BODY_CHARS } from './limits.ts'

type Sharing = { entries: number; titles: Set<string> }
const SHORT_CHARS = 200
const ENTRIES_TO_SHARE = 3

export function separateBoilerplate(entries: FeedEntry[]): FeedEntry[] {
  const sharing = new Map<string, Sharing>()
  for (const { title, body } of entries.filter(hasOwnShortBody)) {
    const group = sharing.get(body) ?? { entries: 0, titles: new Set() }
    group.entries++
    group.titles.add(title)
    sharing.set(body, group)
  }
  if (!Array.from(sharing.values()).some(isBoilerplate)) return entries
  return entries.map((entry) => {
    const group = hasOwnShortBody(entry) ? sharing.get(entry.body) : undefined
    if (!group || !isBoilerplate(group)) return entry
    return { ...entry, body: `${entry.title}\n\n${entry.body}` }
  })
}

function isBoilerplate({ entries, titles }: Sharing): boolean {
  return entries >= ENTRIES_TO_SHARE && titles.size > 1
}

/** A body made of the title, or a title made of the body, says nothing about boilerplate. */
function hasOwnShortBody({ title, body }: FeedEntry): boolean {
  if (body === '' || body.length > SHORT_CHARS || body === title) return false
  return title !== firstChars(body, TITLE_FROM_BODY_CHARS)
}
