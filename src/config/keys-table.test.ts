import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { loadConfig } from '../config.ts'
import { camelCase, environmentName, KEYS } from './keys.ts'
import { withKeysTable } from './keys-table.ts'

test('docs/configuration.md has the table of keys as the code has it (npm run docs writes it)', () => {
  const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
  assert.equal(page, withKeysTable(page))
})

test('every key has its own environment name, and its default passes its own check', () => {
  assert.equal(new Set(KEYS.map(({ path }) => environmentName(path))).size, KEYS.length)
  for (const { path, kind, default: value } of KEYS) assert.deepEqual(kind.check(value), { value }, path)
})

test('the table and the configuration have the same keys', () => {
  const { config } = loadConfig({ env: {}, cwd: '/', readFile: () => undefined })
  const leaves = (tree: object, above: string): string[] =>
    Object.entries(tree).flatMap(([name, value]) => {
      const path = `${above}${name}`
      if (path === 'source.hostOverrides') return []
      const isSection = typeof value === 'object' && value !== null && !Array.isArray(value)
      return isSection ? leaves(value, `${path}.`) : [path]
    })
  assert.deepEqual(leaves(config, '').sort(), KEYS.map(({ path }) => camelCase(path)).sort())
})
