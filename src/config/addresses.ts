// Checks values that are addresses: URLs, hosts, networks. Each function returns the value to use, or null.
import { isIP } from 'node:net'
import { hasCredentials, isHttp } from '../domain/address.ts'

export function httpUrl(text: string): string | null {
  const url = URL.parse(text)
  return url && isHttp(url) && url.hostname ? text : null
}

/** An address that is shown to people, so it must not contain credentials, a query or a fragment. */
export function publicUrl(text: string): string | null {
  const url = httpUrl(text) === null ? null : URL.parse(text)
  return url && !hasCredentials(url) && !url.search && !url.hash ? text : null
}

/**
 * A `/` or `#` that is not percent-encoded ends the user and password: what stands behind it would be taken for a path or
 * fragment, and what stands before it for the host. A mail server has neither, so that is a mistake.
 */
export function mailServerUrl(text: string): string | null {
  const url = /^smtps?:\/\//.test(text) ? URL.parse(text) : null
  if (!url?.hostname || url.hash || !['', '/'].includes(url.pathname)) return null
  return url.search.includes('@') ? null : text
}

/** The same form as hostOf returns: lower case, punycode, no port, no trailing dot. */
export function hostName(text: string): string | null {
  if (/[\s/@?#\\]/.test(text) || /:\d*$/.test(text.replace(/^\[.*\]$/, ''))) return null
  return URL.parse(`http://${text}/`)?.hostname.replace(/\.$/, '') || null
}

/** Where to listen: an IP address (IPv6 without brackets) or a name. */
export function listenHost(text: string): string | null {
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  if (isIP(bare)) return bare
  return /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) && !/^[\d.]+$/.test(text) ? text : null
}

/** A network in CIDR form. A single address counts as a network of one. */
export function network(text: string): string | null {
  const [address = '', prefix, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0 || address.includes('%')) return null
  const bits = version === 4 ? 32 : 128
  if (prefix === undefined) return `${address}/${bits}`
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits ? `${address}/${Number(prefix)}` : null
}

export function masterKey(text: string): string | null {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return null
  return Buffer.from(text, 'base64').length === 32 ? text : null
}
