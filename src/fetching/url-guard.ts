// Checks that need only the URL: its port, and an IP address that is written into it. Behind a proxy this is all that can
// be checked, because the proxy makes the connections.
import type { Trust } from '../ports/fetcher.ts'
import type { AddressGuard } from './address-guard.ts'

/** The reason for refusing, or null if the URL is allowed. */
export type UrlGuard = (url: URL, trusted: Trust) => string | null

export function createUrlGuard(guard: AddressGuard): UrlGuard {
  return (url, trusted) => {
    const address = writtenAddress(url.hostname)
    if (address === null) return null
    const typed = typeof trusted === 'object' ? writtenAddress(trusted.typedHost) : null
    return guard(address, portOf(url), typeof trusted === 'object' ? { typed: typed === null ? [] : [typed] } : trusted)
  }
}

/** null: it is a name, which only the proxy looks up. */
function writtenAddress(hostname: string): string | null {
  const name = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (name === 'localhost' || name.endsWith('.localhost')) return '127.0.0.1'
  return /^[\d.]+$/.test(name) || name.includes(':') ? name : null
}

/** An empty list allows every port. An address that the operator configured may have any. */
export function createPortGuard(allowPorts: readonly number[]): UrlGuard {
  const allowed = new Set(allowPorts)
  return (url, trusted) => {
    if (allowed.size === 0 || trusted === 'configured' || allowed.has(portOf(url))) return null
    return `port ${portOf(url)} is not in app.http.allow-ports`
  }
}

function portOf(url: URL): number {
  return Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
}
