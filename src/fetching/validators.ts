// Validators (ETag, Last-Modified) from a response, for the conditional request of the next poll.
import type { Validators } from '../domain/source.ts'

type Headers = Readonly<Record<string, string>>

export const NO_VALIDATORS: Validators = { etag: null, lastModified: null }

/** `from`: the URL that sent them. They are sent back to that URL only. */
export function validatorsOf(headers: Headers, from: string): Validators {
  return withSender({ etag: usable(headers.etag), lastModified: usable(headers['last-modified']) }, from)
}

/** A 304 replaces the validators that it contains. The others stay as they were. */
export function mergeValidators(known: Validators | undefined, headers: Headers, from: string): Validators {
  const fresh = validatorsOf(headers, from)
  const etag = fresh.etag ?? known?.etag ?? null
  return withSender({ etag, lastModified: fresh.lastModified ?? known?.lastModified ?? null }, from)
}

/** A value that cannot be sent back unchanged in a header is ignored. */
function usable(value: string | undefined): string | null {
  return value && /^[\t\x20-\x7e\x80-\xff]+$/.test(value) ? value : null
}

function withSender(validators: Validators, from: string): Validators {
  return validators.etag === null && validators.lastModified === null ? NO_VALIDATORS : { ...validators, from }
}
