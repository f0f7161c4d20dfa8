// The HTTP client, loaded with the first request. To load it takes a tenth of a second, and most commands send none.
import type { FetcherOptions } from '../fetching/client.ts'
import type { Fetcher } from '../ports/fetcher.ts'

export function lazyFetcher(options: FetcherOptions): Fetcher {
  let loaded: Promise<Fetcher> | null = null
  const load = async () => (await import('../fetching/client.ts')).createFetcher(options)
  return {
    async fetch(request) {
      loaded ??= load()
      return (await loaded).fetch(request)
    },
    close: async () => (await loaded)?.close(),
  }
}
