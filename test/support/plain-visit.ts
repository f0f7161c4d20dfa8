// A visit without lanes: every request of a reader goes out at once through the real HTTP client, to loopback only.
import type { Visit } from '../../src/ports/reader.ts'
import { testFetcher } from './test-fetcher.ts'

export interface PlainVisit extends Visit, AsyncDisposable {}

export function plainVisit(): PlainVisit {
  const { fetcher } = testFetcher()
  return {
    async fetch({ separate: _, ...request }) {
      const result = await fetcher.fetch({ ...request, trusted: true })
      if (result.kind === 'elsewhere') throw new Error(`redirected to another host: ${result.location}`)
      return result.kind === 'aborted' ? { kind: 'given-up', because: 'stopping' } : result
    },
    [Symbol.asyncDispose]: () => fetcher.close(),
  }
}
