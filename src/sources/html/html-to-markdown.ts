/** Clean HTML as Markdown, with tables. turndown does the work. Callers run it in a thread with a time limit. */
import { createRequire } from 'node:module'
import TurndownService from 'turndown'

// The package has no types.
const { tables, strikethrough } = createRequire(import.meta.url)('@joplin/turndown-plugin-gfm') as {
  tables: TurndownService.Plugin
  strikethrough: TurndownService.Plugin
}

const turndown = new TurndownService({
  headingStyle: 'atx',
  codeBlockStyle: 'fenced',
  bulletListMarker: '-',
  emDelimiter: '*',
  hr: '---',
}).use([tables, strikethrough])

export function htmlToMarkdown(html: string): string {
  return turndown.turndown(html).trim()
}
