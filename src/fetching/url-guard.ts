// Checks an IP address that is written into a URL. This is all that can be checked when a proxy makes the connections.
import type { Trust } from '../ports/fetcher.ts'
import type { AddressGuard } from './address-guard.ts'

/** The reason for refusing, or null if the URL is allowed. */
export type UrlGuard = (url: URL, trusted: Trust) => string | null

export function createUrlGuard(guard: AddressGuard): UrlGuard {
  return (url, trusted) => {
    const name = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
    if (name === 'localhost' || name.endsWith('.localhost')) return guard('127.0.0.1', port, trusted)
    return /^[\d.]+$/.test(name) || name.includes(':') ? guard(name, port, trusted) : null
  }
}
