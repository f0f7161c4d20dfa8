// An answer that went to a file on a full disk did not arrive, and nobody may take it for given.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const LAUNCHER = fileURLToPath(new URL('../../bin/tidings.js', import.meta.url))
const FULL = '/dev/full'

test('an answer that cannot be written is a failure, and told', { skip: !existsSync(FULL) }, () => {
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
