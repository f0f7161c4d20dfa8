import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeliverySlots, SLOTS } from './delivery-slots.ts'

type Took = ReadonlyMap<string, number>

const named = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ webhookId: `${name}-${index}` }))

/** One round: everybody who waits takes what is free for it. Returns who took how many. */
function round(slots: DeliverySlots, waiting: readonly { webhookId: string }[]): Took {
  const took = new Map<string, number>()
  for (const { webhookId } of slots.longestIdleFirst(waiting)) {
    const free = slots.freeFor(webhookId)
    for (let taken = 0; taken < free; taken++) slots.take(webhookId)
    if (free > 0) took.set(webhookId, free)
  }
  return took
}

function release(slots: DeliverySlots, took: Took, quick: boolean): void {
  for (const [id, count] of took) for (let given = 0; given < count; given++) slots.release(id, { quick })
}

function answeredOnce(slots: DeliverySlots, webhooks: readonly { webhookId: string }[]): void {
  for (const { webhookId } of webhooks) release(slots, round(slots, [{ webhookId }]), true)
}

const total = (took: Took) => [...took.values()].reduce((sum, count) => sum + count, 0)

test('a webhook has one attempt at a time until it has answered quickly, then four', () => {
  const slots = new DeliverySlots()
  const only = named('only', 1)
  assert.equal(total(round(slots, only)), 1)
  assert.equal(slots.freeFor('only-0'), 0)
  slots.release('only-0', { quick: true })
  assert.equal(total(round(slots, only)), 4)
  assert.equal(slots.freeFor('only-0'), 0)
})

test('receivers that answered and then hang all at once leave a slot for others', () => {
  const slots = new DeliverySlots()
  const hanging = named('hangs', 24)
  answeredOnce(slots, [...hanging, { webhookId: 'answers' }])
  assert.equal(total(round(slots, hanging)), 16 * 4 + 8)
  assert.equal(slots.freeFor('answers'), 1)
})

test('no more attempts are under way than there are slots', () => {
  const slots = new DeliverySlots()
  const all = named('hook', 200)
  answeredOnce(slots, all)
  assert.equal(total(round(slots, all)), SLOTS)
  assert.equal(slots.freeFor('another'), 0)
})

test('receivers that hang have half of the slots, in turn, however many they are and from the start', () => {
  const slots = new DeliverySlots()
  const hanging = named('hangs', 200)
  answeredOnce(slots, [{ webhookId: 'answers' }])
  const served = new Set<string>()
  for (let rounds = 0; rounds < 3; rounds++) {
    const took = round(slots, hanging)
    assert.deepEqual([total(took), Math.max(...took.values())], [SLOTS / 2, 1])
    assert.equal(slots.freeFor('answers'), 1)
    for (const id of took.keys()) served.add(id)
    release(slots, took, false)
  }
  assert.equal(served.size, 3 * (SLOTS / 2))
})

test('a webhook that nobody has heard of yet gets its turn among receivers that hang', () => {
  const slots = new DeliverySlots()
  const hanging = named('hangs', 200)
  for (let rounds = 0; rounds < 4; rounds++) release(slots, round(slots, hanging), false)
  assert.equal(round(slots, [...hanging, { webhookId: 'new' }]).get('new'), 1)
})
