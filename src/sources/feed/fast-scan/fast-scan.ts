/**
 * The scan in use. `elements/xml-scan.ts` describes the interface.
 * See docs/decisions/0109-speed-code-behind-one-interface-must-save-3-percent.md
 */
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
