import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedReads } from './shared-reads.ts'

test('who asks the same at the same time shares one read; who asks afterwards reads anew', async () => {
  const reads = new SharedReads<number>()
  let count = 0
  const read = async () => ++count
  assert.deepEqual(await Promise.all([reads.ask('a', read), reads.ask('a', read), reads.ask('b', read)]), [1, 1, 2])
  assert.equal(await reads.ask('a', read), 3)
})

test('a read that began before a commit is not shared with who asks after it', async () => {
  const reads = new SharedReads<string>()
  const early = Promise.withResolvers<string>()
  const late = Promise.withResolvers<string>()
  const before = reads.ask('a', () => early.promise)
  reads.startAnew()
  const after = reads.ask('a', () => late.promise)
  early.resolve('before')
  assert.equal(await before, 'before')
  const joined = reads.ask('a', async () => 'not asked')
  late.resolve('after')
  assert.deepEqual(await Promise.all([after, joined]), ['after', 'after'])
})

test('a read that fails fails for those who share it, and the next one is made', async () => {
  const reads = new SharedReads<number>()
  const fail = () => Promise.reject(new Error('away'))
  const both = await Promise.allSettled([reads.ask('a', fail), reads.ask('a', async () => 1)])
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(await reads.ask('a', async () => 1), 1)
})
