// Decides whether one address may be connected to. Asked at connect time, about the very address the socket will use,
// so that nothing can change between the check and the connection.
// - Anything but the public internet is refused, unless `allow-private-networks` lists it and the request is trusted.
// - An IPv4 address inside an IPv6 one must be allowed itself: listing NAT64 does not open what lies behind it.
// - An address that the operator configured (the X API's) is asked wherever it is.
// - What the product itself listens on is always refused.
import { networkInterfaces } from 'node:os'
import type { Trust } from '../ports/fetcher.ts'
import { forbidden } from './forbidden-ranges.ts'
import { type IpBytes, inNetwork, type Network, parseIp, parseNetwork, sameIp } from './ip.ts'

export interface ListenAddress {
  readonly address: string
  readonly port: number
}

/** null: may be connected to. Otherwise the reason in words. */
export type AddressGuard = (address: string, port: number, trusted: Trust) => string | null

const ALLOW_KEY = 'app.http.allow-private-networks'
const LOOPBACK: readonly Network[] = [parseNetwork('127.0.0.0/8'), parseNetwork('::1')].filter((it) => it !== null)

export function createAddressGuard(
  allowPrivateNetworks: readonly string[],
  ownAddresses: () => readonly ListenAddress[] = () => [],
): AddressGuard {
  const allowed = allowPrivateNetworks.map((text) => {
    const network = parseNetwork(text)
    if (!network) throw new Error(`${ALLOW_KEY}: not a network: ${text}`)
    return network
  })
  const isListed = (ip: IpBytes) => allowed.some((network) => inNetwork(ip, network))

  return (address, port, trusted) => {
    const ip = parseIp(address)
    if (!ip) return `${address} is not an IP address`
    if (ownAddresses().some((own) => own.port === port && reaches(ip, own.address)))
      return `${address} port ${port} is where Tidings itself listens: it is never fetched`
    const found = forbidden(ip)
    if (!found || trusted === 'configured') return null
    const { name, embedded } = found
    const inside = embedded && forbidden(embedded)
    // ::ffff:10.0.0.1 is 10.0.0.1 by another name, so listing either allows it; a tunnel needs its own entry too.
    const ok =
      embedded && name === 'an IPv4-mapped address'
        ? isListed(embedded) || isListed(ip)
        : isListed(ip) && (!inside || isListed(embedded))
    if (ok && trusted) return null
    const what = inside ? `${name} that holds ${embedded?.join('.')}, ${inside.name}` : name
    return ok
      ? `${address} is ${what}: ${ALLOW_KEY} lists it, but that counts only for sources made with admin rights`
      : `${address} is ${what}: refused unless ${ALLOW_KEY} lists it`
  }
}

/** Whether a connection to `ip` arrives at a socket that listens on `listening`. */
function reaches(ip: IpBytes, listening: string): boolean {
  const own = parseIp(listening)
  if (!own) return false
  const target = plain(ip)
  const bound = unmapped(own)
  if (!isUnspecified(bound)) return sameIp(target, plain(bound))
  if (LOOPBACK.some((network) => inNetwork(target, network))) return true
  return localAddresses().some((local) => sameIp(target, local))
}

/** Without the IPv4-mapped disguise, and with "any address" as what it connects to. */
function plain(ip: IpBytes): IpBytes {
  const bare = unmapped(ip)
  if (!isUnspecified(bare)) return bare
  return bare.length === 4 ? [127, 0, 0, 1] : [...new Array<number>(15).fill(0), 1]
}

function unmapped(ip: IpBytes): IpBytes {
  const isMapped = ip.length === 16 && ip.slice(0, 10).every((byte) => byte === 0) && ip[10] === 255 && ip[11] === 255
  return isMapped ? ip.slice(12) : ip
}

function isUnspecified(ip: IpBytes): boolean {
  return ip.every((byte) => byte === 0)
}

function localAddresses(): IpBytes[] {
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .map((entry) => parseIp(entry.address))
    .filter((ip) => ip !== null)
}
