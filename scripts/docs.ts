// npm run docs: writes the table of configuration keys into docs/configuration.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { withKeysTable } from '../src/config/keys-table.ts'

const page = new URL('../docs/configuration.md', import.meta.url)
writeFileSync(page, withKeysTable(readFileSync(page, 'utf8')))
