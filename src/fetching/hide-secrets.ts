// A server may repeat what it was sent, in a redirect's address or in a header that a reason quotes. What a request
// carried as its secrets never stands in the words about its end, in whatever spelling it came back.
import type { FetchRequest, FetchResult } from '../ports/fetcher.ts'

/** Shorter ones would hide ordinary words, and guessing them needs no leak. */
const SHORTEST = 4

export function hideSecrets(result: FetchResult, request: Pick<FetchRequest, 'basicAuth' | 'headers'>): FetchResult {
  if (!('failure' in result)) return result
  const reason = hideIn(result.failure.reason, secretsOf(request))
  return { ...result, failure: { ...result.failure, reason } }
}

function secretsOf({ basicAuth, headers = {} }: Pick<FetchRequest, 'basicAuth' | 'headers'>): string[] {
  // `Bearer <key>`: the key is the secret.
  const keys = Object.values(headers).map((value) => value.split(' ').at(-1) ?? '')
  if (basicAuth === undefined) return keys
  return [...keys, basicAuth, Buffer.from(basicAuth).toString('base64'), basicAuth.slice(basicAuth.indexOf(':') + 1)]
}

function hideIn(text: string, secrets: readonly string[]): string {
  const spellings = secrets
    .filter((secret) => secret.length >= SHORTEST)
    .flatMap((secret) => [secret, encodeURIComponent(secret), encodeURI(secret), secret.replace(/=+$/, '')])
    .sort((a, b) => b.length - a.length)
  return spellings.reduce((hidden, spelling) => hidden.replace(new RegExp(literal(spelling), 'gi'), '***'), text)
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
