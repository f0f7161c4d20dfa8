// The real fetcher, allowed to reach loopback; a test that waits for a limit gives its own small one.
import { createFetcher, type FetcherOptions } from '../../src/fetching/client.ts'
import type { HttpConfig } from '../../src/ports/config.ts'
import type { Fetcher, FetchRequest, FetchResult } from '../../src/ports/fetcher.ts'

export const TEST_HTTP: HttpConfig = {
  userAgent: null,
  connectTimeoutSeconds: 60,
  headersTimeoutSeconds: 60,
  timeoutSeconds: 120,
  maxBodyBytes: 1024 * 1024,
  maxRedirects: 5,
  allowPrivateNetworks: ['127.0.0.0/8'],
  allowPorts: [],
  proxy: null,
}

export interface TestFetcher extends AsyncDisposable {
  readonly fetcher: Fetcher
  get(url: string, request?: Partial<FetchRequest>): Promise<FetchResult>
}

export function testFetcher(http: Partial<HttpConfig> = {}, options: Partial<FetcherOptions> = {}): TestFetcher {
  const fetcher = createFetcher({
    http: { ...TEST_HTTP, ...http },
    version: '1.2.3',
    publicUrl: 'https://tidings.example',
    ...options,
  })
  return {
    fetcher,
    get: (url, request) => fetcher.fetch({ url, accept: 'feed', trusted: true, ...request }),
    [Symbol.asyncDispose]: () => fetcher.close(),
  }
}

/** What a test compares: the failure's code and words, or the kind of answer. */
export function told(result: FetchResult): { readonly code: string; readonly reason: string } {
  return result.kind === 'failed' || result.kind === 'status' ? result.failure : { code: result.kind, reason: '' }
}
