// Writes OPML, the list format of feed readers. What OPML has no attribute for goes into attributes of our own namespace.
import { textWithoutCredentials } from '../../domain/address.ts'
import { folderNames } from '../../domain/folder.ts'
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
  /** Its own title, shown where it has no label. */
  readonly title: string | null
  readonly folder: string | null
  /** Settings that are not at their default and that OPML has no attribute for. */
  readonly settings: Readonly<Record<string, unknown>>
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

function outline({ type, url, address, label, title, isPage, settings }: OpmlSource): string {
  const name = escaped(textWithoutCredentials(label ?? title ?? url))
  const [kind, attribute] = isPage ? ['link', 'url'] : ['rss', 'xmlUrl']
  // An import must not take the source's own title for a label that somebody gave.
  const own = label === null && title !== null ? ` tidings:title="${name}"` : ''
  const more = Object.keys(settings).length > 0 ? ` tidings:settings="${escaped(JSON.stringify(settings))}"` : ''
  return `<outline type="${kind}" text="${name}" title="${name}" ${attribute}="${escaped(address)}" tidings:type="${type}"${own}${more}/>\n`
}

interface Folder {
  readonly sources: OpmlSource[]
  readonly folders: Map<string, Folder>
}

/** Sources with their folders as nested outlines, folders first, each in the order of its first source. */
export function opmlOutlines(sources: readonly OpmlSource[]): string {
  const root: Folder = { sources: [], folders: new Map() }
  for (const source of sources) {
    let place = root
    for (const name of folderNames(source.folder)) {
      const inside: Folder = place.folders.get(name) ?? { sources: [], folders: new Map() }
      place.folders.set(name, inside)
      place = inside
    }
    place.sources.push(source)
  }
  return outlinesIn(root, '    ')
}

function outlinesIn({ sources, folders }: Folder, indent: string): string {
  const nested = [...folders].map(([name, inside]) => {
    const shown = escaped(textWithoutCredentials(name))
    return `${indent}<outline text="${shown}" title="${shown}">\n${outlinesIn(inside, `${indent}  `)}${indent}</outline>\n`
  })
  return [...nested, ...sources.map((source) => indent + outline(source))].join('')
}

export const OPML_TAIL = '  </body>\n</opml>\n'

function escaped(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
}
