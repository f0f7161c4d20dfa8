import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readServeFile, removeServeFile, serveFileOf, writeServeFile } from './serve-file.ts'
import { lockForCommand, lockForServe } from './store-lock.ts'

function inFolder(run: (folder: string) => unknown): () => Promise<void> {
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tidings-lock-'))
    try {
      await run(folder)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
}

test(
  'only one serve gets the lock, and the next one after it is released',
  inFolder((folder) => {
    const path = join(folder, 'data', 'tidings.db')
    const first = lockForServe(path)
    assert.ok(first)
    assert.equal(lockForServe(path), null)
    first.release()
    const second = lockForServe(path)
    assert.ok(second)
    second.release()
  }),
)

test(
  'commands keep a serve out, and a serve keeps commands out, but commands do not keep out each other',
  inFolder((folder) => {
    const path = join(folder, 'tidings.db')
    const [one, two] = [lockForCommand(path), lockForCommand(path)]
    assert.ok(one && two)
    assert.equal(lockForServe(path), null)
    one.release()
    assert.equal(lockForServe(path), null)
    two.release()
    const serve = lockForServe(path)
    assert.ok(serve)
    assert.equal(lockForCommand(path), null)
    serve.release()
  }),
)

test(
  'two paths of one file use the same lock',
  { skip: process.platform === 'win32' && 'symbolic links need rights on Windows' },
  inFolder((folder) => {
    const path = join(folder, 'tidings.db')
    writeFileSync(path, '')
    symlinkSync(folder, `${folder}-link`)
    try {
      const lock = lockForServe(path)
      assert.equal(lockForServe(join(`${folder}-link`, 'tidings.db')), null)
      lock?.release()
    } finally {
      rmSync(`${folder}-link`)
    }
  }),
)

test(
  'a killed process leaves no lock behind',
  inFolder(async (folder) => {
    const path = join(folder, 'tidings.db')
    // Nobody refers to the returned lock, and garbage is collected: the lock must still hold.
    const script = `import { lockForServe } from '${import.meta.resolve('./store-lock.ts')}'
      lockForServe(process.argv[1]); gc(); process.stdout.write('held'); setInterval(() => {}, 1000)`
    const holder = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', script, path])
    try {
      await once(holder.stdout, 'data')
      assert.equal(lockForServe(path), null)
      holder.kill('SIGKILL')
      await once(holder, 'exit')
      const lock = lockForServe(path)
      assert.ok(lock)
      lock.release()
    } finally {
      holder.kill('SIGKILL')
    }
  }),
)

test(
  'serve.json is readable by its owner only, and a damaged one is ignored',
  inFolder((folder) => {
    const path = join(folder, 'tidings.db')
    assert.equal(readServeFile(path), null)
    const running = { url: 'http://127.0.0.1:1', token: 't', pid: 7 }
    writeServeFile(path, running)
    writeServeFile(path, running)
    assert.deepEqual(readServeFile(path), running)
    if (process.platform !== 'win32') assert.equal(statSync(serveFileOf(path)).mode & 0o777, 0o600)
    // The file of another store in the same folder is neither used nor removed.
    assert.equal(readServeFile(join(folder, 'other.db')), null)
    removeServeFile(join(folder, 'other.db'))
    assert.deepEqual(readServeFile(path), running)
    removeServeFile(path)
    assert.ok(!existsSync(serveFileOf(path)))
    writeFileSync(serveFileOf(path), '{"url":')
    assert.equal(readServeFile(path), null)
    removeServeFile(path)
    assert.equal(readServeFile(path), null)
  }),
)
