import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadedLater } from './loaded-later.ts'

interface Shelf {
  readonly name: string
  titles(): Promise<string[]>
  find(title: string): Promise<string | null>
}

function shelfWith(loads: string[]) {
  const whole: Shelf = {
    name: 'novels',
    titles: async () => ['Emma'],
    find: async (title) => (title === 'Emma' ? 'Austen' : null),
  }
  const load = async () => {
    loads.push('loaded')
    return whole
  }
  return loadedLater<Shelf>(load, { name: 'novels', titles: whole.titles })
}

test('what is there at once loads nothing', async () => {
  const loads: string[] = []
  const shelf = shelfWith(loads)
  assert.equal(shelf.name, 'novels')
  assert.deepEqual(await shelf.titles(), ['Emma'])
  assert.deepEqual(loads, [])
})

test('the rest is loaded once, by the first call', async () => {
  const loads: string[] = []
  const shelf = shelfWith(loads)
  assert.deepEqual(await Promise.all([shelf.find('Emma'), shelf.find('Ulysses')]), ['Austen', null])
  assert.equal(await shelf.find('Emma'), 'Austen')
  assert.deepEqual(loads, ['loaded'])
})

test('it can be returned from an async function', async () => {
  const shelf = await (async () => shelfWith([]))()
  assert.equal(await shelf.find('Emma'), 'Austen')
})

test('a failure to load rejects the call', async () => {
  const shelf = loadedLater<Shelf>(() => Promise.reject(new Error('no such file')), { name: 'novels' })
  await assert.rejects(shelf.titles(), /no such file/)
})
