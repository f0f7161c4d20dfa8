import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeFolder } from './make-folder.ts'

test('every missing parent folder is created, readable by the owner only', () => {
  const root = mkdtempSync(join(tmpdir(), 'tidings-folder-'))
  try {
    const deep = join(root, 'a b', 'ü')
    makeFolder(deep)
    makeFolder(deep)
    assert.deepEqual([statSync(join(root, 'a b')).mode & 0o777, statSync(deep).mode & 0o777], [0o700, 0o700])
  } finally {
    rmSync(root, { recursive: true })
  }
})

// This runs in its own process, because an endless loop cannot be stopped from inside.
test('it fails at once where no folder can be created', { skip: !existsSync('/proc/self') }, () => {
  const code = `import { makeFolder } from ${JSON.stringify(import.meta.resolve('./make-folder.ts'))}
    try { makeFolder('/proc/tidings/deep') } catch (error) { process.stdout.write(error.code) }`
  const args = ['--input-type=module', '-e', code]
  const { stdout, signal } = spawnSync(process.execPath, args, { timeout: 180_000, killSignal: 'SIGKILL' })
  assert.equal(signal, null)
  assert.match(stdout.toString(), /^E(NOENT|ACCES|PERM|ROFS)$/)
})
