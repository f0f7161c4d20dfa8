// Source type `youtube`: a channel or playlist by whatever address a person gave; its Atom feed is what is asked.
import { readWebAddress } from './address.ts'
import type { SourceTypeDescriptor } from './source-type.ts'
import { youtubeFeedUrl } from './youtube-address.ts'

export const YOUTUBE_TYPE: SourceTypeDescriptor = {
  name: 'youtube',
  document: 'feed',
  recognises: (given) => youtubeFeedUrl(given) !== null,
  // Whatever stands on its hosts in a list of sources can only be meant as a channel.
  recognisesRow: (given) => /(^|\.)youtube\.com$|^youtu\.be$/.test(URL.parse(given)?.hostname ?? ''),
  readAddress: readWebAddress,
  feedUrlOf(given) {
    const known = youtubeFeedUrl(given)
    return known?.kind === 'feed' ? known.feedUrl : null
  },
  newEntries: 'by-date',
  aggregates: false,
  keyProvider: null,
  lane: 'host',
  testWhenAdded: 'always',
  pollDelaySeconds: 0,
}
