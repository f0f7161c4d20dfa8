// The doctor is called when something is wrong: whatever that is, every check is told, with what to do.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { startOrigin } from '../support/origin.ts'
import { openShell } from '../support/run-cli.ts'

describe('doctor', () => {
  test('hosts that are left alone and sources that have failed for a week are findings', async () => {
    await using origin = await startOrigin()
    using shell = openShell()
    origin.route('/busy', { status: 503, headers: { 'retry-after': '3600' } })
    await shell.tidings('add', `${origin.url}/busy`, '--type', 'rss', '--no-validate')
    const left = await shell.tidings('doctor')
    assert.equal(left.code, 1, left.out)
    assert.match(
      left.out,
      /^BAD {2}hosts +1 host is left alone: 127\.0\.0\.1 .*\n +-> "tidings hosts" says until when/m,
    )
    assert.match(left.out, /^ok {3}sources +none has failed for a week/m)
    const store = new DatabaseSync(join(shell.folder, 'tidings.db'))
    store.exec(`UPDATE sources SET created_at = ${Date.now() - 8 * 86_400_000}`)
    store.close()
    const failing = await shell.tidings('doctor')
    assert.match(
      failing.out,
      /^BAD {2}sources +failing for a week: http:.*\/busy\n +-> "tidings list --health failing"/m,
    )
  })

  test('a proxy that does not answer is a failed check; one of the environment that is not used is told', async () => {
    using shell = openShell()
    shell.env.HTTPS_PROXY = 'http://proxy.example:3128'
    assert.match((await shell.tidings('doctor')).out, /^ok {3}proxy +none; HTTPS_PROXY of the environment is not used/m)
    shell.env.APP_HTTP_PROXY = 'http://127.0.0.1:1'
    const silent = await shell.tidings('doctor')
    assert.equal(silent.code, 1)
    assert.match(silent.out, /^BAD {2}proxy +nothing answers at 127\.0\.0\.1:1\n +-> Start the proxy/m)
  })

  test('a port that another program uses is told', async () => {
    await using origin = await startOrigin()
    using shell = openShell()
    shell.env.APP_SERVER_PORT = new URL(origin.url).port
    const { out } = await shell.tidings('doctor')
    assert.match(out, /^ok {3}port +\d+ is used by another program: start serve with another --port/m)
  })

  test('a file in place of the data folder is a failed check, and the other checks still run', async () => {
    using shell = openShell()
    const file = join(shell.folder, 'afile')
    writeFileSync(file, '')
    for (const data of [file, join(file, 'deeper')]) {
      const { code, out, err } = await shell.tidings('doctor', '--data', data)
      assert.deepEqual([code, err], [1, ''])
      assert.match(out, /^BAD {2}database .*its folder is a file\n +-> Check/m)
      assert.match(
        out,
        /^BAD {2}disk .*afile is not a folder\n +-> Move it away, or choose another folder with --data/m,
      )
      for (const check of ['runtime', 'configuration', 'clock', 'names']) {
        assert.match(out, new RegExp(`^ok {3}${check} `, 'm'))
      }
    }
  })

  // Root may write everywhere but into a file system that takes no files.
  const unwritable = process.getuid?.() === 0 ? '/sys/tidings' : '/tidings'
  test('a folder that cannot be created is a failed check', { skip: !existsSync('/sys') }, async () => {
    using shell = openShell()
    const { code, out, err } = await shell.tidings('doctor', '--data', unwritable)
    assert.deepEqual([code, err], [1, ''])
    assert.match(out, /^BAD {2}database .*\n +-> /m)
    assert.match(out, /^BAD {2}disk .*\n +-> /m)
    assert.match(out, /^ok {3}clock /m)
  })

  test('a store of a newer version fails the check of migrations', async () => {
    using shell = openShell()
    await shell.tidings('list')
    const store = new DatabaseSync(join(shell.folder, 'tidings.db'))
    store.exec("INSERT INTO schema_migrations (version, name) VALUES (999, 'later')")
    store.close()
    const { code, out } = await shell.tidings('doctor')
    assert.equal(code, 1)
    assert.match(out, /^ok {3}database /m)
    assert.match(out, /^BAD {2}migrations +schema 999, written by a newer version of Tidings; .*\n +-> Run the newer/m)
    assert.match(out, /^ok {3}disk /m)
  })

  test('a clock behind the last tick of any process on the store is a failed check', async () => {
    using shell = openShell()
    await shell.tidings('list')
    const store = new DatabaseSync(join(shell.folder, 'tidings.db'))
    const tick = (at: number) => store.exec(`INSERT OR REPLACE INTO meta (key, value) VALUES ('last-tick-at', '${at}')`)
    tick(Date.now() - 1000)
    assert.match((await shell.tidings('doctor')).out, /^ok {3}clock /m)
    tick(Date.now() + 120_000)
    store.close()
    const { code, out } = await shell.tidings('doctor')
    assert.equal(code, 1)
    assert.match(
      out,
      /^BAD {2}clock .*but the last tick was later\n +-> .*another machine.*turn on time synchronisation/m,
    )
  })

  test('a damaged database file is named with a remedy, and backup leaves no copy of it', async () => {
    using shell = openShell()
    const [torn, folder] = [join(shell.folder, 'torn'), join(shell.folder, 'folder')]
    mkdirSync(torn)
    writeFileSync(join(torn, 'tidings.db'), 'x'.repeat(8192))
    const { code, err } = await shell.tidings('list', '--data', torn)
    assert.equal(code, 1)
    assert.match(err, /^Cannot start: file is not a database\. file:.*torn.* is damaged, or not a store .*Put a backup/)
    const { out } = await shell.tidings('doctor', '--data', torn)
    assert.match(
      out,
      /^BAD {2}database .*torn.* is damaged, or not a store of Tidings\.\n +-> Put a backup in its place/m,
    )
    mkdirSync(join(folder, 'tidings.db'), { recursive: true })
    for (const data of [torn, folder]) {
      const copy = await shell.tidings('backup', 'copy.db', '--data', data)
      assert.deepEqual([copy.code, copy.err.split('\n').length], [1, 2], copy.err)
      assert.match(copy.err, /^The copy of .*tidings\.db failed: /)
      assert.ok(!existsSync(join(shell.folder, 'copy.db')))
    }
  })

  test('a backup that fails halfway leaves nothing behind', async () => {
    using shell = openShell()
    const rows = Array.from({ length: 2000 }, (_, n) => `https://a.example/${n}/${'x'.repeat(200)}\n`).join('')
    writeFileSync(join(shell.folder, 'list.txt'), rows)
    assert.equal((await shell.tidings('import', 'list.txt')).code, 0)
    const [path] = globSync('**/tidings.db', { cwd: shell.folder })
    const file = join(shell.folder, path ?? assert.fail('no store'))
    const bytes = readFileSync(file)
    // The first pages stay as they are, so the copy begins well.
    writeFileSync(file, bytes.fill(0xff, Math.floor(bytes.length / 2)))
    const { code, err } = await shell.tidings('backup', 'copy.db')
    assert.equal(code, 1)
    assert.match(err, /^The copy of .*tidings\.db failed: /)
    assert.deepEqual(globSync('copy.db*', { cwd: shell.folder }), [])
  })

  test('a master key that does not open what is stored is a failed check', async () => {
    using shell = openShell()
    shell.env.APP_ENCRYPTION_MASTER_KEY = randomBytes(32).toString('base64')
    await shell.tidingsWith('s3cret-key', 'key', 'set', 'x')
    assert.match((await shell.tidings('doctor')).out, /^ok {3}secrets /m)
    shell.env.APP_ENCRYPTION_MASTER_KEY = randomBytes(32).toString('base64')
    const { code, out } = await shell.tidings('doctor')
    assert.equal(code, 1)
    assert.match(
      out,
      /^BAD {2}secrets +The master key is not the one .*: the x key of user Default\n +-> Set app\.encryption\.master-key/m,
    )
    assert.match(out, /^ok {3}database /m)
  })

  test('a server that does not run is reported as not answering', async () => {
    using shell = openShell()
    const gone = await startOrigin()
    await gone.close()
    const { code, out } = await shell.tidings('doctor', '--server', gone.url)
    assert.equal(code, 1)
    assert.match(
      out,
      /^BAD {2}server +nothing answers: Cannot reach \S+: nothing listens there\n +-> Start tidings serve/m,
    )
    assert.doesNotMatch(out, /that answered/)
  })

  test('with a bad configuration the checks that do not need it still run', async () => {
    using shell = openShell()
    shell.env.APP_LOG_LEVEL = 'loud'
    assert.match((await shell.tidings('doctor')).out, /^BAD {2}configuration .*\n.*\nok {3}clock /m)
  })

  test('the check of the disk creates no folder', async () => {
    using shell = openShell()
    mkdirSync(join(shell.folder, 'app'))
    const { checkDisk } = await import('../../src/cli/doctor/check-machine.ts')
    const finding = await checkDisk(`file:${join(shell.folder, 'app/none/tidings.db')}`)
    assert.match(finding.found, /MiB free in .*app$/)
    assert.ok(!existsSync(join(shell.folder, 'app/none')))
  })
})
