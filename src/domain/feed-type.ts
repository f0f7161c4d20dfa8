// Source type `rss`: a feed of any kind. It is what an address is taken for until something else is known.
import { readWebAddress } from './address.ts'
import type { SourceTypeDescriptor } from './source-type.ts'

export const FEED_TYPE: SourceTypeDescriptor = {
  name: 'rss',
  document: 'feed',
  recognises: () => false,
  readAddress: readWebAddress,
  newEntries: 'by-date',
  hasPagesBehindPosts: true,
  aggregates: false,
  keyProvider: null,
  lane: 'host',
  testWhenAdded: 'always',
  pollDelaySeconds: 0,
}
