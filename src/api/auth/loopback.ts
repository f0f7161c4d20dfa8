// Tells whether a host name or address is this machine itself.
import { BlockList, isIP } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')
LOOPBACK.addSubnet('::ffff:127.0.0.0', 104, 'ipv6')

/** A name or address without port; IPv6 with or without brackets. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase()
  const family = isIP(bare)
  if (family === 0) return bare === 'localhost' || bare.endsWith('.localhost')
  return LOOPBACK.check(bare, family === 4 ? 'ipv4' : 'ipv6')
}
