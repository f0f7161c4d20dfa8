// Removes the secrets of a request from the reason of its failure, which may quote what the server sent back.
import { hideSecretsIn } from '../domain/failure-reason.ts'
import type { FetchRequest, FetchResult } from '../ports/fetcher.ts'

export function hideSecrets(result: FetchResult, request: Pick<FetchRequest, 'basicAuth' | 'headers'>): FetchResult {
  if (!('failure' in result)) return result
  const reason = hideSecretsIn(result.failure.reason, secretsOf(request))
  return { ...result, failure: { ...result.failure, reason } }
}

function secretsOf({ basicAuth, headers = {} }: Pick<FetchRequest, 'basicAuth' | 'headers'>): string[] {
  // In `Bearer <key>` only the key is secret.
  const keys = Object.values(headers).map((value) => value.split(' ').at(-1) ?? '')
  if (basicAuth === undefined) return keys
  return [...keys, basicAuth, Buffer.from(basicAuth).toString('base64'), basicAuth.slice(basicAuth.indexOf(':') + 1)]
}
