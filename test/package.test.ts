// What is published: the package as `npm pack` makes it, installed into an empty folder, with nothing of the checkout.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
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
  const { stdout } = await run(tool, args, { cwd, env: { ...Object.fromEntries(outer), PATH }, shell })
  return stdout
}

test('the packed package installs into an empty folder and runs there', { timeout: 120_000 }, async () => {
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
    assert.ok(!installed.includes('src') && !installed.includes('test'))

    // The whole product works from there: store, migrations, API.
    const status = JSON.parse(await npm('npx', ['tidings', 'status', '--json', '--data', join(folder, 'data')], folder))
    assert.equal(status.versions.tidings, VERSION)
    const library = `import { createTidings, readFeed } from 'tidings'
      await using tidings = await createTidings({ config: { database: { url: 'file::memory:' } } })
      console.log(typeof readFeed, JSON.stringify(await tidings.tick()))`
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', library], { cwd: folder })
    assert.match(stdout, /^function \{"jittered":0,/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
