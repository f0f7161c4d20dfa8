// A data folder that cannot be written: nothing starts on it, and every command says what to do. As root everything can be
// written, so the commands run as another user there.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openShell } from '../support/run-cli.ts'
import { LAUNCHER } from '../support/serve-process.ts'

const NOBODY = 65534
const REMEDY = /give its user that right, or choose another folder with --data/

/** In a process of somebody who may not write there. */
function run(...args: string[]) {
  const isRoot = process.getuid?.() === 0
  const { status, stderr, stdout } = spawnSync(process.execPath, [LAUNCHER, ...args], {
    env: { PATH: process.env.PATH, HOME: '/nonexistent' },
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  })
  return { code: status, out: String(stdout), err: String(stderr) }
}

const cannotRun = process.platform === 'win32' || run('--version').code !== 0

test(
  'on a folder that cannot be written nothing starts, and each command says what to do',
  { skip: cannotRun && 'another user cannot run this checkout' },
  async () => {
    using shell = openShell()
    assert.equal((await shell.tidings('status')).code, 0)
    const [empty, full] = [join(shell.folder, 'empty'), shell.folder]
    mkdirSync(empty)
    for (const file of readdirSync(full)) if (file !== 'empty') chmodSync(join(full, file), 0o444)
    for (const folder of [empty, full]) chmodSync(folder, 0o555)
    try {
      for (const [folder, ...args] of [
        [empty, 'serve', '--port', '0'],
        [full, 'serve', '--port', '0'],
        [full, 'list'],
        [full, 'add', 'https://example.org/feed', '--type', 'rss', '--no-validate'],
      ] as const) {
        const { code, out, err } = run(...args, '--data', folder)
        assert.deepEqual([code, out], [1, ''], err)
        assert.match(err, REMEDY, args.join(' '))
        assert.ok(err.includes(folder), err)
        assert.equal(err.trimEnd().split('\n').length, 1, err)
      }
    } finally {
      for (const folder of [empty, full]) chmodSync(folder, 0o755)
    }
  },
)
