/**
 * Recognises elements that were never closed: if an element begins where it is not allowed, the one around it has ended.
 *
 * Only names that HTML does not have count, because the texts of RSS may contain HTML, well-formed or not.
 */
import type { OpenLeaf } from './open-leaf.ts'

/** Names as written and in lower case. Tools that take a feed for HTML write lower case and lose end tags of links. */
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
/** Elements that never hold HTML, so that a <link> in them is not HTML. */
const WITHOUT_HTML = names('title pubDate guid category comments dc:date dc:subject media:title')
/** Atom texts have their HTML escaped unless their type says that they hold XML. */
const ATOM_SIBLINGS = names(
  'entry id link updated published modified issued author contributor category content rights ' +
    'dc:creator dc:date dc:subject media:content media:group media:thumbnail media:title media:description',
)
/** VALUES hold an address, a date or a word and never an element. TEXTS are further elements that may follow them. */
const VALUES = names('link guid pubDate dc:date id updated published modified issued category')
const TEXTS = names('title summary source')

/** All names that may end a leaf. Nearly all elements in a leaf are HTML and need only this one look-up. */
const MAY_END = new Set([...SIBLINGS, ...ATOM_SIBLINGS, ...TEXTS])

export function endsLeaf(written: string, leaf: OpenLeaf, isRss: boolean): boolean {
  if (!MAY_END.has(written) || written === leaf.name) return false
  if (TEXTS.has(written) && VALUES.has(leaf.name)) return true
  if (isRss) return SIBLINGS.has(written) || (written === 'link' && WITHOUT_HTML.has(leaf.name))
  return (ATOM_SIBLINGS.has(written) || (written === 'summary' && leaf.name === 'title')) && !leaf.holdsXml
}

const NOT_IN_PERSON = new Set([...SIBLINGS, 'title', 'link'])
/** Without link and id, which people in activity streams have. */
const NOT_IN_ATOM_PERSON = names('entry author contributor updated published category summary content')

export function endsPerson(written: string, isRss: boolean): boolean {
  return (isRss ? NOT_IN_PERSON : NOT_IN_ATOM_PERSON).has(written)
}
