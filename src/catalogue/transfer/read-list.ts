// A list of sources in whatever form it comes (OPML, JSON as exported, one address per line) becomes rows.
// Rows are judged later, one by one: a bad one must not take the good ones along.
import { Problem } from '../../domain/problem.ts'
import type { SourceTypes } from '../../domain/source-type.ts'
import { readOpml } from './opml.ts'

export interface GivenList {
  readonly bytes: Uint8Array
  /** With charset, if known; else both are told from the bytes. */
  readonly contentType?: string | undefined
}

type GuessType = (url: string) => string

export type Row = Readonly<Record<string, unknown>>

export function readList(types: SourceTypes, list: GivenList): Row[] {
  const text = textOf(list)
  // Nothing is fetched on import, so what the address does not tell is taken for a feed.
  const guessedType = (url: string) => types.recognisingRow(url)?.name ?? 'rss'
  switch (formOf(list.contentType, text)) {
    case 'opml':
      return opmlRows(text, guessedType)
    case 'json':
      return jsonRows(text, guessedType)
    case 'lines':
      return lineRows(text, guessedType)
  }
}

function formOf(contentType: string | undefined, text: string): 'opml' | 'json' | 'lines' {
  if (contentType && /[/+](x-)?(xml|opml)\b/i.test(contentType)) return 'opml'
  if (contentType && /[/+]json\b/i.test(contentType)) return 'json'
  // A file on disk or text/plain: its first character tells.
  const first = text.trimStart()[0]
  return first === '<' ? 'opml' : first === '[' || first === '{' ? 'json' : 'lines'
}

function opmlRows(text: string, guessedType: GuessType): Row[] {
  const opml = readOpml(text)
  if (opml.kind === 'not-opml') throw unreadable('expected OPML with <outline xmlUrl="..."> elements')
  if (opml.kind === 'broken') throw new Problem('malformed-request', `The list is not valid OPML: ${opml.problem}.`)
  return opml.outlines.map(({ url, label, type }) => ({ url, label, type: type ?? guessedType(url) }))
}

function jsonRows(text: string, guessedType: GuessType): Row[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new Problem('malformed-request', 'The list is not valid JSON.')
  }
  const rows = isRow(parsed) ? parsed.sources : parsed
  if (!Array.isArray(rows)) throw unreadable('expected a JSON list of sources, or {"sources": [...]}')
  return rows.map((row: unknown) => {
    if (typeof row === 'string') return { url: row, type: guessedType(row) }
    if (!isRow(row)) return { url: row }
    return { ...row, type: row.type ?? (typeof row.url === 'string' ? guessedType(row.url) : undefined) }
  })
}

function lineRows(text: string, guessedType: GuessType): Row[] {
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((url) => ({ url, type: guessedType(url) }))
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function unreadable(message: string): Problem {
  return new Problem('invalid-input', message, [{ path: '', message }])
}

function textOf({ bytes, contentType }: GivenList): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200))
  const [b0, b1] = bytes
  const byMark = b0 === 0xff && b1 === 0xfe ? 'utf-16le' : b0 === 0xfe && b1 === 0xff ? 'utf-16be' : undefined
  const declared =
    /charset=["']?([\w.:-]+)/i.exec(contentType ?? '')?.[1] ?? /^\s*<\?xml[^>]*encoding=["']([\w.:-]+)/.exec(head)?.[1]
  try {
    return new TextDecoder(byMark ?? declared ?? 'utf-8', { fatal: !byMark && !declared }).decode(bytes)
  } catch {
    // As with documents: undeclared, it is UTF-8 if it can be. A charset that does not exist tells nothing.
    return new TextDecoder(declared ? 'utf-8' : 'windows-1252').decode(bytes)
  }
}
