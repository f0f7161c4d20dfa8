// Reads OPML, the list format of feed readers. Reading is lenient (nested folders, any letter case, undeclared entities),
// but a truncated list is refused, because nobody could tell what is missing.
// See docs/decisions/0097-truncated-opml-is-refused.md
import { Parser } from 'htmlparser2'
import { textWithoutCredentials, withoutCredentials } from '../../domain/address.ts'
import { folderOf } from '../../domain/folder.ts'
import { SOURCE_SETTINGS } from '../../domain/source-settings.ts'

const LABEL_CHARACTERS = SOURCE_SETTINGS.label.maxLength
const MAX_DEPTH = 1000

export interface OpmlOutline {
  readonly url: string
  readonly label: string | null
  /** The outlines around it that are no sources; null: there are none. */
  readonly folder: string | null
  /** As a list that Tidings exported says it; null in other lists. */
  readonly type: string | null
  /** Other settings, as a list that Tidings exported has them. Nothing of them is checked. */
  readonly settings: Readonly<Record<string, unknown>>
  /** It has only the address of a web page, which is `url` here. Whether there is a feed behind it is not known. */
  readonly hasNoFeed?: true
}

export type Opml =
  | { readonly kind: 'outlines'; readonly outlines: readonly OpmlOutline[] }
  /** `problem` says where it is truncated or damaged. */
  | { readonly kind: 'broken'; readonly problem: string }
  | { readonly kind: 'not-opml' }

export function readOpml(text: string): Opml {
  const outlines: OpmlOutline[] = []
  const open: OpenElement[] = []
  let isOpml = false
  let problem: string | null = null
  const lineAt = (index: number) => text.slice(0, index).split('\n').length
  // The first problem is reported, so the rest is not read.
  const refuse = (what: string) => {
    problem ??= what
    parser.pause()
  }
  const parser = new Parser(
    {
      onopentagname(name) {
        // After a processing instruction the parser's index is one too low.
        open.push({ name, folder: null, page: null, start: text.indexOf('<', parser.startIndex), end: null })
        if (name === 'opml' || name === 'outline') isOpml = true
        if (open.length > MAX_DEPTH) refuse(`elements are nested more than ${MAX_DEPTH} deep`)
      },
      onopentag(name, attributes) {
        const element = open.at(-1)
        if (!element) return
        element.end = parser.endIndex
        if (isDamaged(attributes, text.slice(element.start, element.end + 1)))
          refuse(`a quote or bracket is missing in <${name}> of line ${lineAt(element.start)}`)
        if (name !== 'outline') return
        const outline = outlineOf(attributes)
        for (const { page } of open.slice(0, -1)) if (page) page.isFolder = true
        const folder = folderAround(open) ?? folderOfCategory(attributes.category)
        if (outline) outlines.push({ ...outline, folder })
        else {
          element.folder = attributes.title || attributes.text || null
          element.page = pageOf(attributes, folder)
        }
      },
      onclosetag(name, implied) {
        const element = open.pop()
        if (element?.page && !element.page.isFolder) outlines.push(element.page.outline)
        // An empty element closes where its tag ends.
        if (problem === null && implied && element && element.end !== parser.endIndex)
          refuse(`<${name}> of line ${lineAt(element.start)} is never closed`)
      },
    },
    { xmlMode: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  )
  parser.write(text)
  problem ??= truncationIn(text, open.at(-1), lineAt)
  if (!isOpml) return { kind: 'not-opml' }
  return problem === null ? { kind: 'outlines', outlines } : { kind: 'broken', problem }
}

interface OpenElement {
  readonly name: string
  /** Its name, if it is an outline without an address. */
  folder: string | null
  /** If it has the address of a web page and no feed. */
  page: { readonly outline: OpmlOutline; isFolder: boolean } | null
  readonly start: number
  /** Where its tag ends; null until it does. */
  end: number | null
}

/** What is missing at the end of the document. */
function truncationIn(text: string, open: OpenElement | undefined, lineAt: (index: number) => number): string | null {
  if (open) {
    const line = lineAt(open.start)
    return open.end === null
      ? `the tag <${open.name} of line ${line} is cut off`
      : `<${open.name}> of line ${line} is never closed`
  }
  const last = text.lastIndexOf('<')
  return last > text.lastIndexOf('>') ? `a tag of line ${lineAt(last)} is cut off` : null
}

/**
 * Whether a quote is missing: the attribute then swallows the tags that follow, up to the next quote. Tags are searched
 * in the source text, because a name may contain an escaped `&lt;body&gt;`.
 */
function isDamaged(attributes: Record<string, string>, written: string): boolean {
  if (/<\/?(outline|body|opml)\b/i.test(written.slice(1))) return true
  return Object.entries(attributes).some(([name, value]) => name.includes('<') || /\sxmlurl\s*=\s*$/i.test(value))
}

/** An outline with an xmlUrl is a feed, even if it is empty. Some programs call it `url`; in lists of Tidings that is a web page. */
function outlineOf(attributes: Record<string, string>): Omit<OpmlOutline, 'folder'> | null {
  const type = attributes['tidings:type'] ?? null
  const url = (attributes.xmlurl ?? (type || isFeedType(attributes.type) ? attributes.url : undefined))?.trim()
  if (url === undefined) return null
  // Tidings writes the own title of a source where it has no label.
  const isOwnTitle = attributes['tidings:title'] !== undefined
  const settings = settingsIn(attributes['tidings:settings'])
  return { url, label: isOwnTitle ? null : labelOf(attributes, url), type, settings }
}

function isFeedType(type = ''): boolean {
  return /^(?:rss|atom)$/i.test(type)
}

/** An outline without a feed that names a web page. With other outlines inside it is a folder after all. */
function pageOf(attributes: Record<string, string>, folder: string | null): OpenElement['page'] {
  const url = (attributes.htmlurl ?? (attributes.type === 'link' ? attributes.url : undefined))?.trim()
  if (!url) return null
  const outline = { url, label: labelOf(attributes, url), folder, type: null, settings: {}, hasNoFeed: true } as const
  return { outline, isFolder: false }
}

function settingsIn(written: string | undefined): OpmlOutline['settings'] {
  try {
    const settings: unknown = JSON.parse(written ?? '{}')
    return typeof settings === 'object' && settings !== null && !Array.isArray(settings) ? { ...settings } : {}
  } catch {
    return {}
  }
}

const FOLDER_CHARACTERS = SOURCE_SETTINGS.folder.maxLength

/** Flat lists name a folder in an attribute, as OPML 2.0 has it: `/Outer/Inner,Another`. A source has one folder. */
function folderOfCategory(category = ''): string | null {
  const [first = ''] = category.split(',')
  return folderAround(first.split('/').map((folder) => ({ folder })))
}

/** A folder that is nested too deep for its field is cut, not refused: the source counts more. */
function folderAround(open: readonly Pick<OpenElement, 'folder'>[]): string | null {
  const names: string[] = []
  let length = 0
  for (const { folder } of open) {
    const name = folder === null ? '' : plainText(folder)
    length += name.length * 2 + 1
    // Twice as long at most: slashes and backslashes are escaped.
    if (length > FOLDER_CHARACTERS) break
    names.push(name)
  }
  return folderOf(names)
}

/** Some programs write the address where a name is missing. That is not a label, and it may hold credentials. */
function labelOf(attributes: Record<string, string>, url: string): string | null {
  const names = [attributes.title, attributes.text].map((name) => name?.trim() ?? '')
  const label = names.find((name) => name !== '' && !isAddress(name, url)) ?? ''
  return plainText(label) || null
}

function plainText(name: string): string {
  return (
    textWithoutCredentials(name)
      .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
      .slice(0, LABEL_CHARACTERS)
      // The cut must not leave half of a character.
      .replace(/[\ud800-\udbff]$/, '')
      .trim()
  )
}

/** Whether the name is the address: with or without credentials, in full or cut to the length of a label. */
function isAddress(name: string, url: string): boolean {
  if (bareAddress(name) === bareAddress(url)) return true
  if (name.length < LABEL_CHARACTERS) return false
  return [url, textWithoutCredentials(url), bareAddress(url)].some((address) =>
    address.startsWith(textWithoutCredentials(name)),
  )
}

function bareAddress(text: string): string {
  const parsed = URL.parse(text)
  return parsed ? withoutCredentials(parsed).href : text
}
