// Writes the table of configuration keys as Markdown, for docs/configuration.md.
import { DEFAULT_HOST_OVERRIDES, delaySeconds, environmentName, HOST_DELAY, HOST_OVERRIDES, KEYS } from './keys.ts'

export const TABLE_START = '<!-- keys: written by npm run docs -->'
export const TABLE_END = '<!-- end of keys -->'

export function keysTable(): string {
  const rows = KEYS.map(({ path, default: value, kind, about }) => [
    `\`app.${path}\`<br>\`${environmentName(path)}\``,
    `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``,
    kind.label,
    about,
  ])
  const hosts = Object.entries(DEFAULT_HOST_OVERRIDES).map(([host, seconds]) => `\`${host}\`: \`${seconds}\``)
  const override = [
    `\`app.${HOST_OVERRIDES}.<host>.${HOST_DELAY}\`<br>only in files`,
    hosts.join(', '),
    delaySeconds.label,
    'the shortest pause between two visits to this host; a source can override it',
  ]
  const after = KEYS.findLastIndex(({ path }) => path.startsWith('source.poll-delay-seconds')) + 1
  const head = ['| key | default | allowed values | meaning |', '|---|---|---|---|']
  return [...head, ...rows.toSpliced(after, 0, override).map((cells) => `| ${cells.join(' | ')} |`)].join('\n')
}

/** Returns the page with the current table. */
export function withKeysTable(page: string): string {
  const [before, rest] = page.split(TABLE_START)
  const after = rest?.split(TABLE_END)[1]
  if (before === undefined || after === undefined)
    throw new Error(`the page has no place for the table: ${TABLE_START}`)
  return `${before}${TABLE_START}\n${keysTable()}\n${TABLE_END}${after}`
}
