/**
 * What was never closed: an element that begins where it cannot stand shows that the one around it has ended.
 *
 * Only names count that HTML does not have, since HTML may stand in the texts of RSS, well formed or not.
 */
import type { OpenLeaf } from './open-leaf.ts'

/** What took the feed for HTML has written its names in small letters, and lost the end tags of links. */
function names(written: string): Set<string> {
  return new Set(`${written} ${written.toLowerCase()}`.split(' '))
}

const SIBLINGS = names(
  'item pubDate guid description category comments enclosure author content:encoded dc:creator dc:date dc:subject ' +
    'language ttl managingEditor webMaster lastBuildDate generator docs cloud copyright skipHours skipDays textInput ' +
    'atom:link sy:updatePeriod sy:updateFrequency slash:comments wfw:commentRss feedburner:origLink ' +
    'itunes:author itunes:summary itunes:subtitle itunes:image itunes:owner itunes:category itunes:explicit ' +
    'itunes:duration itunes:keywords media:content media:group media:thumbnail media:title media:description',
)
/** Those that hold no HTML, where a link might be an element of it. */
const WITHOUT_HTML = names('title pubDate guid category comments dc:date dc:subject media:title')
/** Texts of Atom have their HTML escaped, unless they say that it is XML. */
const ATOM_SIBLINGS = names(
  'entry id link updated published modified issued author contributor category content rights ' +
    'dc:creator dc:date dc:subject media:content media:group media:thumbnail media:title media:description',
)
/** Those that hold an address, a date or a word, and no element whatever; and what else may follow them. */
const VALUES = names('link guid pubDate dc:date id updated published modified issued category')
const TEXTS = names('title summary source')

/** Nearly all that stands in a leaf is HTML, and asked once. */
const MAY_END = new Set([...SIBLINGS, ...ATOM_SIBLINGS, ...TEXTS])

export function endsLeaf(written: string, leaf: OpenLeaf, isRss: boolean): boolean {
  if (!MAY_END.has(written) || written === leaf.name) return false
  if (TEXTS.has(written) && VALUES.has(leaf.name)) return true
  if (isRss) return SIBLINGS.has(written) || (written === 'link' && WITHOUT_HTML.has(leaf.name))
  return (ATOM_SIBLINGS.has(written) || (written === 'summary' && leaf.name === 'title')) && !leaf.holdsXml
}

const NOT_IN_PERSON = new Set([...SIBLINGS, 'title', 'link'])
/** Activities have people with links and ids. */
const NOT_IN_ATOM_PERSON = names('entry author contributor updated published category summary content')

export function endsPerson(written: string, isRss: boolean): boolean {
  return (isRss ? NOT_IN_PERSON : NOT_IN_ATOM_PERSON).has(written)
}
