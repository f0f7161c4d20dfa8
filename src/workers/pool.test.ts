import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../test/support/until.ts'
import { createWorkerPool, type WorkerPool, type WorkerPoolOptions } from './pool.ts'

const entry = new URL('../../test/support/task-worker.ts', import.meta.url)
const pool = (options: WorkerPoolOptions = {}) => createWorkerPool({ size: 1, entry, ...options })

/** A task of a moment meets a small time limit only where the whole machine stands still; then it is given again. */
async function untilEchoed(workers: WorkerPool, value: string): Promise<void> {
  await until('it is echoed', async () => (await workers.run('echo', value)).ok)
}

test('a task runs in another thread and its value comes back', async () => {
  await using workers = pool()
  assert.equal(workers.threads, 0, 'nothing starts before it is needed')
  assert.deepEqual(await workers.run('echo', { a: [1, 'two', null] }), { ok: true, value: { a: [1, 'two', null] } })
  assert.equal(workers.threads, 1)
})

test('what a task throws keeps its code, and the worker goes on', async () => {
  await using workers = pool()
  const failed = { ok: false, why: 'error', code: 'not-a-feed', message: 'There is nothing to read' }
  assert.deepEqual(await workers.run('throw', null), failed)
  assert.equal((await workers.run('no such task', null)).ok, false)
  assert.equal((await workers.run('unclonable', null)).ok, false)
  assert.equal((await workers.run('echo', () => {})).ok, false)
  assert.deepEqual(await workers.run('echo', 1), { ok: true, value: 1 })
})

test('a task that hangs fails at its time limit, and the next one gets a new worker', async () => {
  await using workers = pool({ timeLimitMs: 200 })
  const waiting = untilEchoed(workers, 'still here')
  const hung = await workers.run('hang', null)
  assert.deepEqual(hung, { ok: false, why: 'timeout', code: null, message: 'Reading took longer than 0.2 s' })
  await waiting
  await untilEchoed(workers, 'still there')
})

test('a task that takes its worker down fails alone', async () => {
  await using workers = pool({ heapLimitMb: 64 })
  for (const task of ['exit', 'throw-later', 'eat-memory']) {
    const [crashed, next] = await Promise.all([workers.run(task, null), workers.run('echo', task)])
    assert.equal(crashed.ok === false && crashed.why, 'crashed', task)
    assert.deepEqual(next, { ok: true, value: task })
  }
})

test('one thread does the jobs in the order they came', async () => {
  await using workers = pool()
  const done: number[] = []
  const numbers = Array.from({ length: 20 }, (_, index) => index)
  await Promise.all(numbers.map((index) => workers.run('echo', index).then(() => done.push(index))))
  assert.deepEqual(done, numbers)
})

test('no more threads start than allowed', async () => {
  await using workers = pool({ size: 2 })
  await Promise.all(Array.from({ length: 20 }, (_, index) => workers.run('echo', index)))
  assert.equal(workers.threads, 2)
})

test('documents made to be slow do not hold up the others', async () => {
  await using workers = pool({ timeLimitMs: 600_000 })
  const slow = [workers.run('hang', null), workers.run('hang', null)]
  assert.deepEqual(await workers.run('echo', 'quick'), { ok: true, value: 'quick' })
  assert.equal(workers.threads, 3)
  let over = false
  void Promise.any(slow).then(() => {
    over = true
  })
  await workers.run('echo', 'quick again')
  assert.equal(over, false, 'none of the slow ones had to end first')
})

test('a thread that was started because of a slow job goes when it is not needed', async () => {
  await using workers = pool({ timeLimitMs: 2_500 })
  const slow = workers.run('hang', null)
  await workers.run('echo', 1)
  await slow
  await untilEchoed(workers, 'again')
  assert.equal(workers.threads, 1)
})

test('bytes are copied unless given away', async () => {
  await using workers = pool()
  const bytes = new Uint8Array(1000)
  assert.deepEqual(await workers.run('size', { bytes }), { ok: true, value: 1000 })
  assert.equal(bytes.length, 1000)
  assert.deepEqual(await workers.run('size', { bytes }, [bytes.buffer]), { ok: true, value: 1000 })
  assert.equal(bytes.length, 0)
})

test('closing fails what waits and what runs', async () => {
  const workers = pool()
  const running = workers.run('hang', null)
  const waiting = workers.run('echo', 1)
  await workers.close()
  assert.equal((await running).ok, false)
  assert.equal((await waiting).ok, false)
  assert.equal((await workers.run('echo', 1)).ok, false)
})

test('a worker that cannot start fails its job and is not tried for ever', async () => {
  await using workers = pool({ entry: new URL('./no-such-worker.ts', import.meta.url) })
  const result = await workers.run('echo', 1)
  assert.equal(result.ok === false && result.why, 'crashed')
})
