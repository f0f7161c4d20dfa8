/**
 * What was never closed: an element that begins where it cannot stand shows that the one around it has ended.
 *
 * Only names count that HTML does not have, since HTML may stand in the texts of RSS, well formed or not.
 */
import type { OpenLeaf } from './open-leaf.ts'

const SIBLINGS = new Set(
  (
    'item pubDate guid description category comments enclosure author content:encoded dc:creator dc:date dc:subject ' +
    'language ttl managingEditor webMaster lastBuildDate generator docs cloud copyright skipHours skipDays textInput ' +
    'atom:link sy:updatePeriod sy:updateFrequency slash:comments wfw:commentRss feedburner:origLink ' +
    'itunes:author itunes:summary itunes:subtitle itunes:image itunes:owner itunes:category itunes:explicit ' +
    'itunes:duration itunes:keywords media:content media:group media:thumbnail'
  ).split(' '),
)
/** Those that hold no HTML, where a link might be an element of it. */
const WITHOUT_HTML = new Set('title pubDate guid category comments'.split(' '))
/** Texts of Atom have their HTML escaped, unless they say that it is XML. */
const ATOM_SIBLINGS = new Set('entry id link updated published modified issued author category content'.split(' '))

export function endsLeaf(written: string, leaf: OpenLeaf, isRss: boolean): boolean {
  if (written === leaf.name) return false
  if (isRss) return SIBLINGS.has(written) || (written === 'link' && WITHOUT_HTML.has(leaf.name))
  return ATOM_SIBLINGS.has(written) && !leaf.holdsXml
}

const NOT_IN_PERSON = new Set([...SIBLINGS, 'title', 'link'])
/** Activities have people with links and ids. */
const NOT_IN_ATOM_PERSON = new Set('entry author contributor updated published category summary content'.split(' '))

export function endsPerson(written: string, isRss: boolean): boolean {
  return (isRss ? NOT_IN_PERSON : NOT_IN_ATOM_PERSON).has(written)
}
