/** Clean HTML as Markdown, with tables. turndown does the work. Callers run it in a thread with a time limit. */
import { createRequire } from 'node:module'
import TurndownService from 'turndown'

// The package has no types.
const { tables, strikethrough } = createRequire(import.meta.url)('@joplin/turndown-plugin-gfm') as {
  tables: TurndownService.Plugin
  strikethrough: TurndownService.Plugin
}

/** The plugin for tables looks at a whole table for each of its cells, so a table of thousands would take minutes. */
const MOST_CELLS = 1000
const CELLS = /<t[dh]\b/g

const OPTIONS: TurndownService.Options = {
  headingStyle: 'atx',
  codeBlockStyle: 'fenced',
  bulletListMarker: '-',
  emDelimiter: '*',
  hr: '---',
}
const withTables = new TurndownService(OPTIONS).use([tables, strikethrough])
/** The cells of tables become paragraphs. */
const withoutTables = new TurndownService(OPTIONS).use(strikethrough)

export function htmlToMarkdown(html: string): string {
  const cells = html.match(CELLS)?.length ?? 0
  return (cells > MOST_CELLS ? withoutTables : withTables).turndown(html).trim()
}
