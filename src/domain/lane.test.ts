import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostOfLane, isOwnerLane, laneLedTo, laneNamed, laneOfUrl, laneToAsk, NULL_LANE, ownerLane } from './lane.ts'

test('a lane is found by its host however that is written, and lanes of owners by their name', () => {
  for (const given of ['Bücher.Example', 'xn--bcher-kva.example', 'BÜCHER.example.', 'bücher.example:8080']) {
    assert.equal(laneNamed(given, ['x']), 'xn--bcher-kva.example', given)
  }
  assert.equal(laneNamed('x:default', ['x']), 'x:default')
  assert.equal(laneNamed('No such host', ['x']), 'no such host')
})

test('a poll is led where it ended, unless that is its own lane or none', () => {
  assert.equal(laneLedTo('b.example', 'a.example'), 'b.example')
  assert.equal(laneLedTo('a.example', 'a.example'), null)
  assert.equal(laneLedTo(NULL_LANE, 'a.example'), null)
})

test('a host is never taken for a lane of owners, not even one with colons in its address', () => {
  for (const url of ['https://example.org:8080/', 'http://[::1]:80/', 'http://localhost:3000/', 'nothing']) {
    assert.equal(isOwnerLane(laneOfUrl(url)), false, url)
  }
  assert.equal(laneNamed('localhost:3000', ['x']), 'localhost')
  assert.equal(isOwnerLane(ownerLane('x', 'ann')), true)
})

test('all owners of a service ask one host, and never leave their lane for the address that it answers at', () => {
  assert.equal(hostOfLane(ownerLane('x', 'ann')), 'x')
  assert.equal(hostOfLane(ownerLane('x', 'bob:2')), 'x')
  assert.equal(hostOfLane('a.example'), 'a.example')
  assert.equal(laneToAsk('x:ann', 'https://api.example/2/users'), 'x:ann')
  assert.equal(laneToAsk('a.example', 'https://b.example/feed'), 'b.example')
  assert.equal(laneToAsk('a.example', 'nothing'), NULL_LANE)
})
