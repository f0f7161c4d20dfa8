// The headers of a response as one record: repeated headers are joined with a comma.
import type { Dispatcher } from 'undici'

export function joinHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? withoutDuplicates(name, value).join(', ') : value,
  ])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** A server and its proxy may both send the same value. Only a repeated Content-Encoding has a meaning of its own. */
function withoutDuplicates(name: string, values: readonly string[]): readonly string[] {
  return name === 'content-encoding' ? values : [...new Set(values)]
}
