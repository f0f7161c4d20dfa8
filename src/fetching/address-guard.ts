// Decides whether Tidings may connect to an address. It is called at connect time with the address that the socket will
// use, so that nothing can change between check and connection.
// - Only the public internet is allowed, unless `allow-private-networks` lists the address and the request is trusted.
// - Trust does not follow a hop: what an address leads to must lie in a listed network that the address lies in too.
// - An IPv4 address inside an IPv6 address must be allowed too: listing NAT64 does not allow the networks behind it.
// - An address that the operator configured (such as the X API's) is always allowed.
// - The addresses that Tidings itself listens on are always refused.
// See docs/decisions/0042-address-guard-at-connect-time.md
import { networkInterfaces } from 'node:os'
import type { Trust } from '../ports/fetcher.ts'
import { findForbiddenRange } from './forbidden-ranges.ts'
import { type IpBytes, inNetwork, type Network, parseIp, parseNetwork, sameIp } from './ip.ts'

export interface ListenAddress {
  readonly address: string
  readonly port: number
}

/** The reason for refusing, or null if the connection is allowed. `typed`: the addresses of the host a person typed. */
export type AddressGuard = (
  address: string,
  port: number,
  trusted: Exclude<Trust, object> | { readonly typed: readonly string[] },
) => string | null

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

  return (address, port, trusted) => {
    const counting =
      typeof trusted === 'object' ? allowed.filter((network) => holdsAny(network, trusted.typed)) : allowed
    const listedIn = (networks: readonly Network[]) => (ip: IpBytes) =>
      networks.some((network) => inNetwork(ip, network))
    const [isListed, isListedAtAll] = [listedIn(counting), listedIn(allowed)]
    const ip = parseIp(address)
    if (!ip) return `${address} is not an IP address`
    if (ownAddresses().some((own) => own.port === port && reaches(ip, own.address)))
      return `${address} port ${port} is an address that Tidings itself listens on: it is never fetched`
    const found = findForbiddenRange(ip)
    if (!found || trusted === 'configured') return null
    const { name, embedded } = found
    const inside = embedded && findForbiddenRange(embedded)
    // ::ffff:10.0.0.1 is the same address as 10.0.0.1, so listing either one allows it. A tunnel needs its own entry.
    const ok =
      embedded && name === 'an IPv4-mapped address'
        ? isListed(embedded) || isListed(ip)
        : isListed(ip) && (!inside || isListed(embedded))
    if (ok && trusted) return null
    const what = inside ? `${name} that holds ${embedded?.join('.')}, ${inside.name}` : name
    if (typeof trusted === 'object' && isListedAtAll(embedded ?? ip))
      return `${address} is ${what}: ${ALLOW_KEY} lists it, but that does not apply to where another address leads`
    return ok
      ? `${address} is ${what}: ${ALLOW_KEY} lists it, but that applies only to sources created with admin rights`
      : `${address} is ${what}: refused unless ${ALLOW_KEY} lists it`
  }
}

function holdsAny(network: Network, addresses: readonly string[]): boolean {
  return addresses.some((address) => {
    const ip = parseIp(address)
    return ip !== null && (inNetwork(ip, network) || inNetwork(unmapped(ip), network))
  })
}

/** Whether a connection to `ip` reaches a socket that listens on `listening`. */
function reaches(ip: IpBytes, listening: string): boolean {
  const own = parseIp(listening)
  if (!own) return false
  const target = canonical(ip)
  const bound = unmapped(own)
  if (!isUnspecified(bound)) return sameIp(target, canonical(bound))
  if (LOOPBACK.some((network) => inNetwork(target, network))) return true
  return localAddresses().some((local) => sameIp(target, local))
}

/** IPv4-mapped addresses become IPv4. The unspecified address becomes loopback, because connecting to it reaches loopback. */
function canonical(ip: IpBytes): IpBytes {
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
