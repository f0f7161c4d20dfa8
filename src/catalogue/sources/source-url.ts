// An address as a person gives it becomes four things: the URL that is shown (never with credentials), the key
// that tells two sources of a podcast apart, the host, and the lane. What an address looks like is the type's to say.
import { type AddressRead, hostOf, isRefused, readWebAddress, type SourceAddress } from '../../domain/address.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import type { SourceType } from '../../domain/source.ts'
import { laneOf, type SourceTypes } from '../../domain/source-type.ts'
import { invalidInput, shown } from '../shapes/validate.ts'

/** Without a type, and where no type recognises the address, it has to be one of the web. */
export function readSourceUrl(types: SourceTypes, type: SourceType | null, given: string): SourceAddress {
  const known = type === null ? types.recognising(given) : types.of(type)
  return taken(known ? known.readAddress(given) : readWebAddress(given), given)
}

function taken(read: AddressRead, given: string): SourceAddress {
  if (!isRefused(read)) return read
  const message = `expected ${read.expected}, got ${shown(given)}${read.remedy}`
  throw invalidInput([{ path: 'url', message }])
}

/** What is wrong with the address in an input, to be told together with its other errors. */
export function urlErrors(types: SourceTypes, fallback: SourceType | null): (input: unknown) => readonly FieldError[] {
  return (input) => {
    if (typeof input !== 'object' || input === null || !('url' in input) || typeof input.url !== 'string') return []
    const named = 'type' in input ? types.find(input.type)?.name : undefined
    try {
      readSourceUrl(types, named ?? fallback, input.url.trim())
      return []
    } catch (error) {
      if (error instanceof Problem) return error.errors
      throw error
    }
  }
}

/** What spacing belongs to, and the host that people see. */
export function whereaboutsOf(
  types: SourceTypes,
  source: { readonly type: SourceType; readonly url: string; readonly feedUrl: string | null },
  userId: string,
): { host: string | null; lane: string } {
  const asked = source.feedUrl ?? source.url
  return { host: hostOf(asked), lane: laneOf(types.of(source.type), asked, userId) }
}
