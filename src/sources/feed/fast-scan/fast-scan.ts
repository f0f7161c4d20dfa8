/** The scan in use: see `elements/xml-scan.ts` for the interface and docs/decisions/0021, 0093 and 0094 for the reasons. */
import { ANYTHING } from '../../text/collapse-space.ts'
import type { XmlPart, XmlScan } from '../elements/xml-scan.ts'
import { FastScanner } from './fast-scanner.ts'

export const fastScan: XmlScan = {
  // As text this is at most twice as large, which the runtime still treats as a small object.
  maxPartBytes: 48 * 1024,

  scan(parts, documentUrl, feed) {
    const scanner = new FastScanner(documentUrl, feed)
    const remaining = Iterator.from(parts)
    for (const part of remaining) {
      const unread = scanner.takeUnread()
      // Reading the whole rest at once means that nothing is read more than twice.
      const { text, rare } = unread === '' ? part : joined(unread, [part, ...remaining])
      scanner.scan(text, rare)
    }
    scanner.end()
  },
}

function joined(unread: string, parts: readonly XmlPart[]): XmlPart {
  return { text: unread + parts.map((part) => part.text).join(''), rare: ANYTHING }
}
