// npm run docs: writes the tables of the docs that come from the code: configuration keys, settings of a source.
import { readFileSync, writeFileSync } from 'node:fs'
import { withKeysTable } from '../src/config/keys-table.ts'
import { withSettingsTable } from './settings-table.ts'

const PAGES: Readonly<Record<string, (page: string) => string>> = {
  'configuration.md': withKeysTable,
  'rules.md': withSettingsTable,
}

for (const [name, rewrite] of Object.entries(PAGES)) {
  const page = new URL(`../docs/${name}`, import.meta.url)
  writeFileSync(page, rewrite(readFileSync(page, 'utf8')))
}
