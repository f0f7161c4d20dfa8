// docs/security.md names the tests that show what it says. They exist under these names.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const ROW = /^\| [^|]+ \| "([^"]+)" \| `([^`]+\.test\.ts)` \|$/gm
const ATTACKERS = [
  'a hostile server',
  'a hostile feed',
  'a hostile page',
  'a web page in your browser',
  'a tenant',
  'a stolen database',
]

test('every test that the page on security names exists, and every attacker has one', () => {
  const page = readFileSync(join(ROOT, 'docs/security.md'), 'utf8')
  const rows = [...page.matchAll(ROW)]
  assert.ok(rows.length >= 15, `${rows.length} rows`)
  const missing = rows.filter(([, title = '', file = '']) => !readFileSync(join(ROOT, file), 'utf8').includes(title))
  assert.deepEqual(
    missing.map(([row]) => row),
    [],
  )
  for (const attacker of ATTACKERS)
    assert.ok(
      rows.some(([row]) => row.startsWith(`| ${attacker} |`)),
      attacker,
    )
})
