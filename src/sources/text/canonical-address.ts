/** Recognises addresses that the URL parser would return unchanged. A pattern costs a small part of what the parser costs. */

/** Hosts that may be numbers or punycode are left to the parser. */
const CANONICAL =
  /^https?:\/\/(?:(?!xn--)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,24}\/[\w\-.~!$&()*+,;=:@%/]*(?:\?[\w\-.~!$&()*+,;=:@%/?]*)?(?:#[\w\-.~!$&()*+,;=:@%/?]*)?$/

export function isCanonicalAddress(address: string): boolean {
  return CANONICAL.test(address) && !address.includes('/.')
}
