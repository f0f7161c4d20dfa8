// The address ranges that are not the public internet, with a name for each. The first match gives the name.
// `embeds` finds an IPv4 address inside an IPv6 address, so that a tunnel cannot reach a refused address.
import { type IpBytes, inNetwork, type Network, parseNetwork } from './ip.ts'

interface Range {
  readonly network: Network
  readonly name: string
  readonly embeds?: (ip: IpBytes) => IpBytes
}

const at = (offset: number) => (ip: IpBytes) => ip.slice(offset, offset + 4)
/** Teredo stores the client's IPv4 address with every bit flipped. */
const flippedAt = (offset: number) => (ip: IpBytes) => ip.slice(offset, offset + 4).map((byte) => byte ^ 0xff)

const RANGES: readonly Range[] = [
  range('169.254.169.254', 'a cloud metadata address'),
  range('169.254.170.0/24', 'a cloud metadata address'),
  range('100.100.100.200', 'a cloud metadata address'),
  range('192.0.0.192', 'a cloud metadata address'),
  range('168.63.129.16', 'a cloud metadata address'),
  range('fd00:ec2::/32', 'a cloud metadata address'),
  range('fd20:ce::254', 'a cloud metadata address'),
  range('0.0.0.0/8', 'an address of "this network"'),
  range('10.0.0.0/8', 'a private address'),
  range('100.64.0.0/10', 'a carrier-grade NAT address'),
  range('127.0.0.0/8', 'a loopback address'),
  range('169.254.0.0/16', 'a link-local address'),
  range('172.16.0.0/12', 'a private address'),
  range('192.0.0.0/24', 'a reserved address'),
  range('192.0.2.0/24', 'a documentation address'),
  range('192.88.99.0/24', 'a 6to4 relay address'),
  range('192.168.0.0/16', 'a private address'),
  range('198.18.0.0/15', 'a benchmarking address'),
  range('198.51.100.0/24', 'a documentation address'),
  range('203.0.113.0/24', 'a documentation address'),
  range('224.0.0.0/4', 'a multicast address'),
  range('255.255.255.255', 'the broadcast address'),
  range('240.0.0.0/4', 'a reserved address'),
  range('::', 'the unspecified address'),
  range('::1', 'a loopback address'),
  range('::ffff:0:0/96', 'an IPv4-mapped address', at(12)),
  range('::ffff:0:0:0/96', 'an IPv4-translated address', at(12)),
  range('::/96', 'an IPv4-compatible address', at(12)),
  range('64:ff9b::/96', 'a NAT64 address', at(12)),
  range('64:ff9b:1::/48', 'a local NAT64 address', at(12)),
  range('100::/64', 'a discard-only address'),
  range('2001::/32', 'a Teredo address', flippedAt(12)),
  range('2001:db8::/32', 'a documentation address'),
  range('2001::/23', 'a reserved address'),
  range('2002::/16', 'a 6to4 address', at(2)),
  range('3fff::/20', 'a documentation address'),
  range('5f00::/16', 'a segment-routing address'),
  range('fc00::/7', 'a unique-local address'),
  range('fe80::/10', 'a link-local address'),
  range('fec0::/10', 'a site-local address'),
  range('ff00::/8', 'a multicast address'),
]

/** The part of IPv6 that is assigned to the public internet. Everything else is reserved. */
const GLOBAL_UNICAST = network('2000::/3')

export interface ForbiddenRange {
  readonly name: string
  /** The IPv4 address inside the IPv6 address, if there is one. */
  readonly embedded: IpBytes | null
}

export function findForbiddenRange(ip: IpBytes): ForbiddenRange | null {
  const match = RANGES.find((candidate) => inNetwork(ip, candidate.network))
  if (match) return { name: match.name, embedded: match.embeds?.(ip) ?? null }
  if (ip.length === 16 && !inNetwork(ip, GLOBAL_UNICAST)) return { name: 'a reserved address', embedded: null }
  return null
}

function range(text: string, name: string, embeds?: (ip: IpBytes) => IpBytes): Range {
  return { network: network(text), name, ...(embeds && { embeds }) }
}

function network(text: string): Network {
  const parsed = parseNetwork(text)
  if (!parsed) throw new Error(`not a network: ${text}`)
  return parsed
}
