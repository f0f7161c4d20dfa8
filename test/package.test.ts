// What is published: the package as `npm pack` makes it, installed into an empty folder, with nothing of the checkout.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { VERSION } from '../src/version.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

/** npm on the runtime of this test, without what an outer npm put into the environment. */
async function npm(tool: 'npm' | 'npx', args: readonly string[], cwd: string): Promise<string> {
  const outer = Object.entries(process.env).filter(([name]) => !/^npm_|^APP_|^TIDINGS_/i.test(name))
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const shell = process.platform === 'win32'
  // An installed Tidings keeps compiled code in the cache folder.
  const env = { ...Object.fromEntries(outer), PATH, XDG_CACHE_HOME: join(cwd, '.cache') }
  const { stdout } = await run(tool, args, { cwd, env, shell })
  return stdout
}

const CONSUMER = readFileSync(new URL('./package/consumer.ts.txt', import.meta.url), 'utf8')
const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')

/** A program that uses the whole library is checked against the published types, and runs. */
async function useEveryName(folder: string): Promise<void> {
  writeFileSync(join(folder, 'consumer.ts'), CONSUMER)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies: {} }))
  const compilerOptions = {
    ...{ target: 'esnext', lib: ['esnext'], module: 'nodenext', strict: true, exactOptionalPropertyTypes: true },
    ...{ outDir: 'out', types: ['node'], typeRoots: [join(ROOT, 'node_modules', '@types')], skipLibCheck: true },
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
  const checked = await run(process.execPath, [TSC, '-p', folder]).catch((error) => error)
  assert.equal(checked.stdout, '')
  const { stdout } = await run(process.execPath, [join(folder, 'out', 'consumer.js')], { cwd: folder })
  assert.match(stdout, /^used nothing-usable transient\n$/)
}

/** The version is a lie, told before the import; a real old Node must understand the file, so it has no new syntax. */
async function importOnOldNode(folder: string): Promise<void> {
  const script = `Object.defineProperty(process.versions, 'node', { value: '20.11.0' })
    await import('tidings').catch((error) => console.log(error.message))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: folder })
  assert.match(stdout, /^Tidings needs Node 24\.12 or later, and this is 20\.11\.0: install a newer one[^\n]*\n$/)
}

test('the program that uses every exported name forgets none, and the entrance exports what the library does', async () => {
  const index = readFileSync(join(ROOT, 'src', 'index.ts'), 'utf8')
  const types = readFileSync(join(ROOT, 'src', 'index', 'types.ts'), 'utf8')
  const declared = [...index.matchAll(/^export (?:async )?(?:function|interface|type|const) (\w+)/gm)].map(
    ([, name]) => name,
  )
  const listed = [...`${index}\n${types}`.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim().replace(/^.* as /, '')),
  )
  const names = [...declared, ...listed].filter((name) => name)
  assert.ok(names.length > 45, String(names.length))
  const used = CONSUMER.slice(CONSUMER.indexOf('{') + 1, CONSUMER.indexOf('}'))
  const imported = used.split(',').map((name) => name.trim().replace(/^type /, ''))
  assert.deepEqual(imported.filter(Boolean).toSorted(), [...new Set(names)].toSorted())
  const library = Object.keys(await import('../src/index.ts'))
  const entrance = readFileSync(join(ROOT, 'bin', 'library.js'), 'utf8')
  const exported = /export const \{([^}]*)\}/
    .exec(entrance)?.[1]
    ?.split(',')
    .map((name) => name.trim())
  assert.deepEqual(exported?.toSorted(), library.toSorted())
})

test('users run no install script, and get few packages', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  for (const script of ['preinstall', 'install', 'postinstall', 'prepare']) assert.equal(scripts[script], undefined)
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { dev?: boolean; hasInstallScript?: boolean; license?: string }>>
  }
  const atRunTime = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && !dev)
  assert.deepEqual(
    atRunTime.filter(([, { hasInstallScript }]) => hasInstallScript),
    [],
  )
  assert.deepEqual(
    atRunTime.filter(([, { license }]) => license === undefined),
    [],
    'every licence is known',
  )
  assert.ok(atRunTime.length < 120, `${atRunTime.length} packages`)
})

test('the packed package installs into an empty folder and runs there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-package-'))
  try {
    await npm('npm', ['pack', '--pack-destination', folder], ROOT)
    const [tarball = ''] = readdirSync(folder)
    assert.equal(tarball, `tidings-${VERSION}.tgz`)
    await npm('npm', ['init', '--yes'], folder)
    await npm('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, tarball)], folder)
    assert.equal(await npm('npx', ['tidings', '--version'], folder), `${VERSION}\n`)

    const installed = readdirSync(join(folder, 'node_modules', 'tidings'))
    for (const needed of ['LICENSE', 'README.md', 'bin', 'dist', 'migrations'])
      assert.ok(installed.includes(needed), needed)
    const known = ['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'dist', 'migrations', 'package.json']
    assert.deepEqual(installed.toSorted(), known, 'what is needed and nothing else')
    const files = readdirSync(join(folder, 'node_modules', 'tidings'), { recursive: true, encoding: 'utf8' })
    assert.deepEqual(
      files.filter((name) => /\.test\.|(?<!\.d)\.ts$|\.map$/.test(name)),
      [],
    )
    assert.ok(
      files.some((name) => name.endsWith('index.d.ts')),
      'types are included',
    )
    // The dashboard comes ready-made: an installed package has neither its sources nor the bundler.
    const dashboard = readdirSync(join(folder, 'node_modules', 'tidings', 'dist', 'web'))
    for (const needed of ['assets', 'docs.css', 'icon.svg', 'index.html']) assert.ok(dashboard.includes(needed), needed)

    // The whole product works from there: store, migrations, API.
    const status = JSON.parse(await npm('npx', ['tidings', 'status', '--json', '--data', join(folder, 'data')], folder))
    assert.equal(status.versions.tidings, VERSION)
    const library = `import { createTidings, readFeed } from 'tidings'
      await using tidings = await createTidings({ config: { database: { url: 'file::memory:' } } })
      console.log(typeof readFeed, JSON.stringify(await tidings.tick()))`
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', library], { cwd: folder })
    assert.match(stdout, /^function \{"jittered":0,/)
    await useEveryName(folder)
    await importOnOldNode(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
