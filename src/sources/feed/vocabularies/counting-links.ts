/** Click-counting services put their own address into the link, and the entry's original address into these elements. */
import { ORIGINAL } from '../finish/entry-url.ts'
import { leaf, type Vocabulary } from './vocabulary.ts'

const original = leaf((feed, text, _attributes, { place, depth, base }) => {
  if (place === 'entry') feed.entry?.addLink({ href: text, base, rel: ORIGINAL, type: null, depth })
})

export const countingLinks: Vocabulary = { 'feedburner:origlink': original, 'pheedo:origlink': original }
