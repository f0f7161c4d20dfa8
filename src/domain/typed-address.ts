// An address as people type it, in a terminal or on a page: `example.org` means https://example.org/. What a source type knows how to
// read, such as `@name`, stays as it is.
import { isRefused, readWebAddress, withHttps } from './address.ts'
import { BUILT_IN_TYPES } from './built-in-types.ts'

export function typedAddress(typed: string, type?: string): string {
  const known = type === undefined ? BUILT_IN_TYPES.recognising(typed) : BUILT_IN_TYPES.find(type)
  const read = known ? known.readAddress(typed) : readWebAddress(typed)
  return isRefused(read) ? (withHttps(typed) ?? typed) : typed
}
