// Removes the secrets of a request from the reason of its failure. A server may send a secret back,
// for example in the address of a redirect, and the reason may quote it. All spellings of the secret are replaced.
// See docs/decisions/0066-failure-reasons-hide-request-secrets.md
import type { FetchRequest, FetchResult } from '../ports/fetcher.ts'

/** Replacing a shorter secret would hide ordinary words, and such a secret can be guessed anyway. */
const MIN_SECRET_CHARS = 4

export function hideSecrets(result: FetchResult, request: Pick<FetchRequest, 'basicAuth' | 'headers'>): FetchResult {
  if (!('failure' in result)) return result
  const reason = hideIn(result.failure.reason, secretsOf(request))
  return { ...result, failure: { ...result.failure, reason } }
}

function secretsOf({ basicAuth, headers = {} }: Pick<FetchRequest, 'basicAuth' | 'headers'>): string[] {
  // In `Bearer <key>` only the key is secret.
  const keys = Object.values(headers).map((value) => value.split(' ').at(-1) ?? '')
  if (basicAuth === undefined) return keys
  return [...keys, basicAuth, Buffer.from(basicAuth).toString('base64'), basicAuth.slice(basicAuth.indexOf(':') + 1)]
}

function hideIn(text: string, secrets: readonly string[]): string {
  const spellings = secrets
    .filter((secret) => secret.length >= MIN_SECRET_CHARS)
    .flatMap((secret) => [secret, encodeURIComponent(secret), encodeURI(secret), secret.replace(/=+$/, '')])
    .sort((a, b) => b.length - a.length)
  return spellings.reduce((hidden, spelling) => hidden.replace(new RegExp(escapeRegExp(spelling), 'gi'), '***'), text)
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
