// The launcher of an installed package: where it keeps compiled code, and how it starts what runs for long.
import assert from 'node:assert/strict'
import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const folder = mkdtempSync(join(tmpdir(), 'tidings-launcher-'))
after(() => rmSync(folder, { recursive: true }))

const LAUNCHER = join(folder, 'node_modules', 'tidings', 'bin', 'tidings.js')
const PROGRAM = `import { getCompileCacheDir } from 'node:module'
const { pid, execArgv, argv, env } = process
const said = { cache: getCompileCacheDir() ?? 'none', pid, execArgv, args: argv.slice(2), arenas: env.MALLOC_ARENA_MAX }
if (process.connected) process.send(said, () => process.disconnect())
else console.log(JSON.stringify(said))`

interface Said {
  readonly cache: string
  readonly pid: number
  readonly execArgv: readonly string[]
  readonly args: readonly string[]
  readonly arenas?: string
}

mkdirSync(join(LAUNCHER, '..', '..', 'dist'), { recursive: true })
cpSync(fileURLToPath(new URL('../bin', import.meta.url)), join(LAUNCHER, '..'), { recursive: true })
writeFileSync(join(LAUNCHER, '..', '..', 'package.json'), '{"type": "module", "version": "1.2.3"}')
writeFileSync(join(LAUNCHER, '..', '..', 'dist', 'main.js'), PROGRAM)

const isRoot = process.getuid?.() === 0
const NOBODY = { uid: 65534, gid: 65534 }

function saidBy(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  user: Partial<typeof NOBODY> = {},
): Said & { readonly startedAs: number } {
  const { pid, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env, ...user })
  assert.equal(stderr, '')
  return { ...JSON.parse(stdout), startedAs: pid }
}

function cacheUnder(env: Readonly<Record<string, string>>, user: Partial<typeof NOBODY> = {}): string {
  return saidBy([LAUNCHER, 'list'], env, user).cache
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

const cannotRestart = process.platform === 'win32' && 'Windows has no execve'

test(
  'a command that runs for long starts with small memory, as the process that was started',
  { skip: cannotRestart },
  () => {
    for (const command of ['serve', 'worker']) {
      const said = saidBy(['--no-warnings', LAUNCHER, command, '--port', '0', 'two words'])
      assert.equal(said.pid, said.startedAs)
      assert.deepEqual(said.execArgv, ['--no-warnings', '--max-semi-space-size=8'])
      assert.deepEqual(said.args, [command, '--port', '0', 'two words'])
      assert.equal(said.arenas, '2')
    }
  },
)

test('other commands start once, and so does one whose memory somebody chose', () => {
  assert.deepEqual(saidBy([LAUNCHER, 'list', 'serve']).execArgv, [])
  const own = ['--max-semi-space-size=32']
  assert.deepEqual(saidBy([...own, LAUNCHER, 'serve']).execArgv, own)
  const byEnvironment = saidBy([LAUNCHER, 'serve'], { NODE_OPTIONS: '--max_semi_space_size=32' })
  assert.deepEqual([byEnvironment.execArgv, byEnvironment.arenas], [[], undefined])
  if (!cannotRestart) assert.equal(saidBy([LAUNCHER, 'serve'], { MALLOC_ARENA_MAX: '7' }).arenas, '7')
})

test('a process with a channel to its parent keeps it', async () => {
  const child = fork(LAUNCHER, ['serve'], { env: {}, execArgv: [] })
  const [said] = (await once(child, 'message')) as [Said]
  assert.deepEqual([said.pid, said.execArgv], [child.pid, []])
  await once(child, 'exit')
})
