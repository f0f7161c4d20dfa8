// A visit without lanes: every request of a reader goes out at once through the real HTTP client, to loopback only.
import { createFetcher } from '../../src/fetching/client.ts'
import type { Visit } from '../../src/ports/reader.ts'

export interface PlainVisit extends Visit, AsyncDisposable {}

export function plainVisit(): PlainVisit {
  const fetcher = createFetcher({
    version: '0',
    publicUrl: null,
    http: {
      userAgent: null,
      connectTimeoutSeconds: 10,
      headersTimeoutSeconds: 30,
      timeoutSeconds: 60,
      maxBodyBytes: 10_485_760,
      maxRedirects: 5,
      allowPrivateNetworks: ['127.0.0.0/8'],
      proxy: null,
    },
  })
  return {
    async fetch({ separate: _, ...request }) {
      const result = await fetcher.fetch({ ...request, trusted: true })
      if (result.kind === 'elsewhere') throw new Error(`redirected to another host: ${result.location}`)
      return result
    },
    [Symbol.asyncDispose]: () => fetcher.close(),
  }
}
