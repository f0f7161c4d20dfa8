import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SLOTS, Slots } from './slots.ts'

const named = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ webhookId: `${name}-${index}` }))

/** One round: everybody who waits takes what is free for it. Returns who took how many. */
function round(slots: Slots, waiting: readonly { webhookId: string }[]): Map<string, number> {
  const took = new Map<string, number>()
  for (const { webhookId } of slots.inTurn(waiting)) {
    const free = slots.freeFor(webhookId)
    for (let taken = 0; taken < free; taken++) slots.take(webhookId)
    if (free > 0) took.set(webhookId, free)
  }
  return took
}

function giveAllBack(slots: Slots, took: Map<string, number>, slow: boolean): void {
  for (const [id, count] of took) for (let given = 0; given < count; given++) slots.giveBack(id, { slow })
}

const total = (took: Map<string, number>) => [...took.values()].reduce((sum, count) => sum + count, 0)

test('a webhook alone has four attempts at a time', () => {
  const slots = new Slots()
  assert.deepEqual([...round(slots, named('only', 1)).values()], [4])
  assert.equal(slots.freeFor('only-0'), 0)
})

test('when half of the slots are taken everybody gets one, so that sixteen receivers that hang leave some', () => {
  const slots = new Slots()
  const hanging = round(slots, named('hangs', 16))
  assert.equal(total(hanging), 8 * 4 + 8)
  assert.equal(slots.freeFor('answers'), 1)
})

test('no more attempts are under way than there are slots', () => {
  const slots = new Slots()
  assert.equal(total(round(slots, named('hook', 100))), SLOTS)
  assert.equal(slots.freeFor('another'), 0)
})

test('who began least recently is next, whatever its name', () => {
  const slots = new Slots()
  const waiting = named('hook', 100)
  const first = round(slots, waiting)
  giveAllBack(slots, first, false)
  const second = round(slots, waiting)
  assert.ok(second.size > 0 && [...second.keys()].every((id) => !first.has(id)))
})

test('receivers that kept us waiting have one slot each and half of the slots together, however many they are', () => {
  const slots = new Slots()
  const hanging = named('hangs', 100)
  for (let rounds = 0; rounds < 4; rounds++) giveAllBack(slots, round(slots, hanging), true)
  const took = round(slots, hanging)
  assert.deepEqual([total(took), Math.max(...took.values())], [SLOTS / 2, 1])
  assert.equal(slots.freeFor('answers'), 1)
  const others = hanging.filter(({ webhookId }) => !took.has(webhookId))
  giveAllBack(slots, took, true)
  assert.ok([...round(slots, hanging).keys()].every((id) => others.some(({ webhookId }) => webhookId === id)))
})

test('a receiver that answers quickly again has all its slots again', () => {
  const slots = new Slots()
  slots.take('hook')
  slots.giveBack('hook', { slow: true })
  assert.equal(slots.freeFor('hook'), 1)
  slots.take('hook')
  slots.giveBack('hook', { slow: false })
  assert.equal(slots.freeFor('hook'), 4)
})
