// A list of sources in whatever form it comes (OPML, JSON as exported, one address per line) becomes rows.
// Rows are judged later, one by one: a bad one must not take the good ones along.
// See docs/decisions/0111-imports-are-read-in-a-worker.md
import type { GivenList, ListRead } from '../../ports/documents.ts'
import { ListRows } from './list-rows.ts'
import { readOpml } from './read-opml.ts'

type Row = Readonly<Record<string, unknown>>
type Rows = { readonly rows: Iterable<Row> } | Extract<ListRead, { kind: 'unreadable' }>

/** `mostRows`: null for any number. */
export function readList(list: GivenList, mostRows: number | null): ListRead {
  const read = rowsOf(list)
  if ('kind' in read) return read
  const rows = new ListRows(mostRows)
  for (const row of read.rows) if (!rows.add(row)) return { kind: 'too-many-rows' }
  return { kind: 'rows', parts: rows.parts() }
}

function rowsOf(list: GivenList): Rows {
  const text = textOf(list)
  switch (formOf(list.contentType, text)) {
    case 'opml':
      return opmlRows(text)
    case 'json':
      return jsonRows(text)
    case 'lines':
      return { rows: lineRows(text) }
  }
}

function formOf(contentType: string | undefined, text: string): 'opml' | 'json' | 'lines' {
  if (contentType && /[/+](x-)?(xml|opml)\b/i.test(contentType)) return 'opml'
  if (contentType && /[/+]json\b/i.test(contentType)) return 'json'
  // A file on disk or text/plain: its first character tells.
  const first = text.trimStart()[0]
  return first === '<' ? 'opml' : first === '[' || first === '{' ? 'json' : 'lines'
}

function opmlRows(text: string): Rows {
  const opml = readOpml(text)
  if (opml.kind === 'not-opml') return invalid('expected OPML with <outline xmlUrl="..."> elements')
  if (opml.kind === 'broken') return malformed(`The list is not valid OPML: ${opml.problem}.`)
  return {
    rows: opml.outlines.map(({ settings, url, label, folder, type, hasNoFeed }) =>
      hasNoFeed ? { url, label, hasNoFeed } : { ...settings, ...{ url, label, folder, type: type ?? undefined } },
    ),
  }
}

function jsonRows(text: string): Rows {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return malformed('The list is not valid JSON.')
  }
  const rows = isRow(parsed) ? parsed.sources : parsed
  if (!Array.isArray(rows)) return invalid('expected a JSON list of sources, or {"sources": [...]}')
  return { rows: rows.map((row: unknown) => (isRow(row) ? row : { url: row })) }
}

/** One by one, because millions of lines as a list of rows would take too much memory. */
function* lineRows(text: string): Generator<Row> {
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    const url = line.trim()
    if (url !== '' && !url.startsWith('#')) yield /\s/.test(url) ? { url, hasSpaces: true } : { url }
  }
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalid(reason: string): Extract<ListRead, { kind: 'unreadable' }> {
  return { kind: 'unreadable', code: 'invalid-input', reason }
}

function malformed(reason: string): Extract<ListRead, { kind: 'unreadable' }> {
  return { kind: 'unreadable', code: 'malformed-request', reason }
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
