// An address as people type it in a terminal: `example.org` means https://example.org/. What a source type knows how to
// read, such as `@name`, stays as it is.
import { isRefused, readWebAddress, withHttps } from '../domain/address.ts'
import { BUILT_IN_TYPES } from '../domain/built-in-types.ts'

export function typedAddress(typed: string, type: string | undefined): string {
  const known = type === undefined ? BUILT_IN_TYPES.recognising(typed) : BUILT_IN_TYPES.find(type)
  const read = known ? known.readAddress(typed) : readWebAddress(typed)
  return isRefused(read) ? (withHttps(typed) ?? typed) : typed
}
