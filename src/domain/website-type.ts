// Source type `website`: one page, whose text is a post whenever it changes.
import { readWebAddress } from './address.ts'
import type { SourceTypeDescriptor } from './source-type.ts'

export const WEBSITE_TYPE: SourceTypeDescriptor = {
  name: 'website',
  document: 'page',
  recognises: () => false,
  readAddress: readWebAddress,
  newEntries: 'by-hash',
  aggregates: false,
  keyProvider: null,
  lane: 'host',
  testWhenAdded: 'always',
  pollDelaySeconds: 2,
}
