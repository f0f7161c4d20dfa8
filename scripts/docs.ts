// Writes what the docs repeat from the code: the table of configuration keys.
import { readFileSync, writeFileSync } from 'node:fs'
import { withKeysTable } from '../src/config/keys-table.ts'

const page = new URL('../docs/configuration.md', import.meta.url)
writeFileSync(page, withKeysTable(readFileSync(page, 'utf8')))
