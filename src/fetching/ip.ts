// IP addresses and networks as bytes, so that ranges are compared as numbers and not as text.
import { isIP } from 'node:net'

/** 4 bytes for IPv4, 16 for IPv6. */
export type IpBytes = readonly number[]

export interface Network {
  readonly bytes: IpBytes
  readonly prefixBits: number
  readonly text: string
}

/** A zone (`fe80::1%eth0`) is dropped: it names the network interface, not the address. */
export function parseIp(text: string): IpBytes | null {
  const bare = text.split('%', 1)[0] ?? ''
  switch (isIP(bare)) {
    case 4:
      return bare.split('.').map(Number)
    case 6:
      return parseIpv6(bare)
    default:
      return null
  }
}

export function parseNetwork(text: string): Network | null {
  const [address = '', prefix, ...rest] = text.trim().split('/')
  const bytes = parseIp(address)
  if (!bytes || rest.length > 0) return null
  if (prefix !== undefined && !/^\d{1,3}$/.test(prefix)) return null
  const prefixBits = prefix === undefined ? bytes.length * 8 : Number(prefix)
  return prefixBits > bytes.length * 8 ? null : { bytes, prefixBits, text: text.trim() }
}

export function inNetwork(ip: IpBytes, network: Network): boolean {
  if (ip.length !== network.bytes.length) return false
  let bits = network.prefixBits
  for (let index = 0; bits > 0; index++, bits -= 8) {
    const mask = bits >= 8 ? 0xff : (0xff << (8 - bits)) & 0xff
    if (((ip[index] ?? 0) & mask) !== ((network.bytes[index] ?? 0) & mask)) return false
  }
  return true
}

export function sameIp(one: IpBytes, other: IpBytes): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index])
}

function parseIpv6(text: string): IpBytes {
  const [head = '', tail] = text.split('::')
  const front = groupBytes(head)
  if (tail === undefined) return front
  const back = groupBytes(tail)
  return [...front, ...new Array<number>(16 - front.length - back.length).fill(0), ...back]
}

function groupBytes(part: string): number[] {
  if (part === '') return []
  return part.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number)
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
}
