// Writes OPML, the list format of feed readers. What OPML has no attribute for goes into attributes of our own namespace.
import { textWithoutCredentials } from '../../domain/address.ts'
import type { SourceType } from '../../domain/source.ts'

const NAMESPACE = 'urn:tidings:opml'

export interface OpmlSource {
  readonly type: SourceType
  /** A page has no feed, so OPML calls it a link. */
  readonly isPage: boolean
  /** Without credentials. */
  readonly url: string
  /** With credentials, if they are exported. */
  readonly address: string
  readonly label: string | null
}

/** OPML wants dates in the format of RFC 822. */
export function opmlHead(title: string, at: number): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<opml version="2.0" xmlns:tidings="${NAMESPACE}">`,
    `  <head><title>${escaped(title)}</title><dateCreated>${new Date(at).toUTCString()}</dateCreated></head>`,
    '  <body>\n',
  ].join('\n')
}

export function opmlOutline({ type, url, address, label, isPage }: OpmlSource): string {
  const name = escaped(textWithoutCredentials(label ?? url))
  const [kind, attribute] = isPage ? ['link', 'url'] : ['rss', 'xmlUrl']
  return `    <outline type="${kind}" text="${name}" title="${name}" ${attribute}="${escaped(address)}" tidings:type="${type}"/>\n`
}

export const OPML_TAIL = '  </body>\n</opml>\n'

function escaped(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
}
