// OPML, the list format that every feed reader speaks. Read leniently (nested folders, any letter case,
// broken tails); written strictly. What OPML has no word for goes into attributes of our own namespace.
import { Parser } from 'htmlparser2'
import type { SourceType } from '../domain/source.ts'

const NAMESPACE = 'urn:tidings:opml'
const LABEL_CHARACTERS = 200

export interface OpmlOutline {
  readonly url: string
  readonly label: string | null
  /** Ours, when the list came from here; else unknown. */
  readonly type: string | null
}

/** null: this is not OPML at all. */
export function readOpml(text: string): OpmlOutline[] | null {
  const outlines: OpmlOutline[] = []
  let isOpml = false
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name.toLowerCase() === 'opml') isOpml = true
        if (name.toLowerCase() !== 'outline') return
        isOpml = true
        const type = attributes['tidings:type'] ?? null
        // A feed is named by xmlUrl. Only our own lists name pages, which have no feed.
        const url = attributes.xmlurl ?? (type ? attributes.url : undefined)
        if (url?.trim()) outlines.push({ url: url.trim(), label: labelOf(attributes, url.trim()), type })
      },
    },
    { xmlMode: true, lowerCaseAttributeNames: true },
  )
  parser.end(text)
  return isOpml ? outlines : null
}

/** Writers put the address where a name is missing: that is no label, and its credentials are nobody's to read. */
function labelOf(attributes: Record<string, string>, url: string): string | null {
  const names = [attributes.title, attributes.text].map((name) => name?.trim() ?? '')
  const label = names.find((name) => name !== '' && !isAddress(name, url)) ?? ''
  return (
    withoutUserinfo(label)
      .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
      .slice(0, LABEL_CHARACTERS)
      .trim() || null
  )
}

/** With or without credentials, whole or cut at the length of a label. */
function isAddress(name: string, url: string): boolean {
  if (bareAddress(name) === bareAddress(url)) return true
  if (name.length < LABEL_CHARACTERS) return false
  return [url, withoutUserinfo(url), bareAddress(url)].some((address) => address.startsWith(withoutUserinfo(name)))
}

function bareAddress(text: string): string {
  const parsed = URL.parse(text)
  if (!parsed) return text
  parsed.username = ''
  parsed.password = ''
  return parsed.href
}

function withoutUserinfo(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#]*@/gi, '$1')
}

export interface OpmlSource {
  readonly type: SourceType
  /** As it is shown, and where to fetch it: the same, but for credentials. */
  readonly url: string
  readonly address: string
  readonly label: string | null
}

export function opmlHead(title: string, at: string): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<opml version="2.0" xmlns:tidings="${NAMESPACE}">`,
    `  <head><title>${escaped(title)}</title><dateCreated>${escaped(at)}</dateCreated></head>`,
    '  <body>\n',
  ].join('\n')
}

export function opmlOutline({ type, url, address, label }: OpmlSource): string {
  const name = escaped(withoutUserinfo(label ?? url))
  const [kind, attribute] = type === 'website' ? ['link', 'url'] : ['rss', 'xmlUrl']
  return `    <outline type="${kind}" text="${name}" title="${name}" ${attribute}="${escaped(address)}" tidings:type="${type}"/>\n`
}

export const OPML_TAIL = '  </body>\n</opml>\n'

function escaped(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
}
