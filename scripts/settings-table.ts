// The table of a source's settings, as Markdown, for docs/rules.md.
import { type Setting, SOURCE_SETTINGS } from '../src/domain/source-settings.ts'

const START = '<!-- settings: written by npm run docs -->'
const END = '<!-- end of settings -->'

/** Returns the page with the current table. */
export function withSettingsTable(page: string): string {
  const [before, rest] = page.split(START)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error(`the page has no place for the table: ${START}`)
  const rows = Object.entries(SOURCE_SETTINGS).map(([name, setting]) => rowOf(name, setting))
  const table = ['| field | option | values | default | meaning |', '|---|---|---|---|---|', ...rows].join('\n')
  return `${before}${START}\n${table}\n${END}${after}`
}

function rowOf(name: string, setting: Setting): string {
  const option = setting.option === null ? '' : `\`${setting.option.split(' ')[0]}\``
  const cells = [`\`${name}\``, option, valuesOf(setting), defaultOf(setting), setting.meaning.replaceAll('\\', '\\\\')]
  return `| ${cells.join(' | ')} |`
}

function valuesOf(setting: Setting): string {
  switch (setting.kind) {
    case 'text':
      return `${setting.what}, at most ${setting.maxLength} characters`
    case 'whole':
      return `${setting.min} to ${setting.max}`
    case 'boolean':
      return 'true, false'
    case 'choice':
      return setting.choices.join(', ')
  }
}

function defaultOf(setting: Setting): string {
  return setting.whenNull ?? (setting.default === null ? 'none' : String(setting.default))
}
