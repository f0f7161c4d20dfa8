/** Addresses in HTML, made absolute. */
import { isCanonicalAddress } from '../text/canonical-address.ts'

const SCHEMES = /^(?:https?|mailto):$/

/** null if it is none, or neither http(s) nor mailto. */
export function absoluteAddress(written: string, base: string): string | null {
  if (isCanonicalAddress(written)) return written
  const url = URL.parse(written.trim(), base)
  return url && SCHEMES.test(url.protocol) ? url.href : null
}

/** As absoluteAddress, http(s) only. */
export function absoluteWebAddress(written: string, base: string): string | null {
  const address = absoluteAddress(written, base)
  return address?.startsWith('mailto:') ? null : address
}
