import assert from 'node:assert/strict'
import { test } from 'node:test'
import { typedAddress } from './typed-address.ts'

test('an address without a scheme is one of https', () => {
  assert.equal(typedAddress('example.org', undefined), 'https://example.org/')
  assert.equal(typedAddress('example.org/feed.xml', 'rss'), 'https://example.org/feed.xml')
  assert.equal(typedAddress('feed://example.org/rss', undefined), 'https://example.org/rss')
})

test('what is a whole address, a name of a source type, or nothing that can be guessed stays as it was typed', () => {
  for (const typed of ['http://example.org/', 'https://example.org/a', '@name', 'not an address', 'x.com/name']) {
    assert.equal(typedAddress(typed, undefined), typed)
  }
  assert.equal(typedAddress('name', 'twitter'), 'name')
})
