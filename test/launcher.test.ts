// The launcher of an installed package: where it keeps compiled code.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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

function cacheUnder(env: Readonly<Record<string, string>>): string {
  const { stdout, stderr } = spawnSync(process.execPath, [LAUNCHER, 'list'], { encoding: 'utf8', env })
  assert.equal(stderr, '')
  return stdout.trim()
}

const isRoot = process.getuid?.() === 0
const isWindows = process.platform === 'win32'

test('compiled code is kept in the cache folder of its owner', { skip: isRoot || isWindows }, () => {
  const home = join(folder, 'home')
  assert.ok(cacheUnder({ HOME: home }).startsWith(join(home, '.cache', 'tidings')))
  const caches = join(folder, 'caches')
  assert.ok(cacheUnder({ HOME: home, XDG_CACHE_HOME: caches }).startsWith(join(caches, 'tidings')))
})

test('root keeps none: the home folder may be that of somebody else', { skip: !isRoot }, () => {
  assert.equal(cacheUnder({ HOME: folder }), 'none')
})

test('without a home folder, or with one that cannot be made, nothing is kept and everything works', () => {
  assert.equal(cacheUnder({}), 'none')
  assert.equal(cacheUnder({ HOME: LAUNCHER, LOCALAPPDATA: LAUNCHER }), 'none')
})
