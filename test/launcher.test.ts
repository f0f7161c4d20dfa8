// The launcher of an installed package: where it keeps compiled code.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const folder = mkdtempSync(join(tmpdir(), 'tidings-launcher-'))
after(() => rmSync(folder, { recursive: true }))

const LAUNCHER = join(folder, 'node_modules', 'tidings', 'bin', 'tidings.js')
const PROGRAM = `import { getCompileCacheDir } from 'node:module'
console.log(getCompileCacheDir() ?? 'none')`

mkdirSync(join(LAUNCHER, '..', '..', 'dist'), { recursive: true })
cpSync(fileURLToPath(new URL('../bin', import.meta.url)), join(LAUNCHER, '..'), { recursive: true })
writeFileSync(join(LAUNCHER, '..', '..', 'package.json'), '{"type": "module", "version": "1.2.3"}')
writeFileSync(join(LAUNCHER, '..', '..', 'dist', 'main.js'), PROGRAM)

const isRoot = process.getuid?.() === 0
const NOBODY = { uid: 65534, gid: 65534 }

function cacheUnder(env: Readonly<Record<string, string>>, user: Partial<typeof NOBODY> = {}): string {
  const { stdout, stderr } = spawnSync(process.execPath, [LAUNCHER, 'list'], { encoding: 'utf8', env, ...user })
  assert.equal(stderr, '')
  return stdout.trim()
}

/** Root keeps none, so there it is tried as somebody else. */
const somebody = isRoot ? NOBODY : {}
const cannotRun =
  (process.platform === 'win32' && 'the folder has another name on Windows') ||
  (spawnSync(process.execPath, ['--version'], somebody).status !== 0 && 'another user cannot run this Node')

test('compiled code is kept in the cache folder of its owner', { skip: cannotRun }, () => {
  chmodSync(folder, 0o777)
  const home = join(folder, 'home')
  assert.ok(cacheUnder({ HOME: home }, somebody).startsWith(join(home, '.cache', 'tidings')))
  const caches = join(folder, 'caches')
  assert.ok(cacheUnder({ HOME: home, XDG_CACHE_HOME: caches }, somebody).startsWith(join(caches, 'tidings')))
})

test('root keeps none: the home folder may be that of somebody else', { skip: !isRoot && 'not run as root' }, () => {
  assert.equal(cacheUnder({ HOME: folder }), 'none')
})

test('without a home folder, or with one that cannot be made, nothing is kept and everything works', () => {
  assert.equal(cacheUnder({}), 'none')
  assert.equal(cacheUnder({ HOME: LAUNCHER, LOCALAPPDATA: LAUNCHER }), 'none')
})
