// What a command stands on may give way: the disk its answer goes to, the folder it was called in.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const LAUNCHER = fileURLToPath(new URL('../../bin/tidings.js', import.meta.url))
const FULL = '/dev/full'

test('an answer that cannot be written is a failure, and is reported', { skip: !existsSync(FULL) }, () => {
  const full = openSync(FULL, 'w')
  try {
    for (const args of [['key', 'generate'], ['config']]) {
      const { status, stderr } = spawnSync(process.execPath, [LAUNCHER, ...args], { stdio: ['ignore', full, 'pipe'] })
      assert.equal(status, 1, args.join(' '))
      assert.match(stderr.toString(), /^The answer could not be written: ENOSPC/)
    }
  } finally {
    closeSync(full)
  }
})

test('a removed working folder is reported in a sentence', { skip: process.platform === 'win32' }, () => {
  const gone = mkdtempSync(join(tmpdir(), 'tidings-gone-'))
  const script = 'cd "$1" && rmdir "$1" && exec "$2" "$3" list'
  const { status, stderr } = spawnSync('sh', ['-c', script, 'sh', gone, process.execPath, LAUNCHER])
  assert.deepEqual(
    [status, stderr.toString()],
    [1, 'The working folder does not exist any more: go to another one, and try again.\n'],
  )
})
