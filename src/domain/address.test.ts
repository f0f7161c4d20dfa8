import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hostOf } from './address.ts'

test('sources whose URLs share a host share its lane', () => {
  assert.equal(hostOf('https://nitter.net/user1/rss'), 'nitter.net')
  assert.equal(hostOf('https://nitter.net/user2/rss'), 'nitter.net')
})

test('a host is compared in lower case, without port, credentials and trailing dot', () => {
  for (const url of [
    'https://Example.COM/feed',
    'http://example.com:8080/feed',
    'https://name:secret@example.com/feed',
    'https://example.com./feed',
    '  https://example.com/feed  ',
  ]) {
    assert.equal(hostOf(url), 'example.com')
  }
})

test('an international name is compared as punycode', () => {
  assert.equal(hostOf('https://Bücher.example/feed'), 'xn--bcher-kva.example')
  assert.equal(hostOf('https://xn--bcher-kva.example/feed'), 'xn--bcher-kva.example')
})

test('addresses are hosts too, each in one spelling', () => {
  assert.equal(hostOf('http://127.0.0.1:3000/'), '127.0.0.1')
  assert.equal(hostOf('http://2130706433/'), '127.0.0.1')
  assert.equal(hostOf('http://[::1]:80/'), '[::1]')
})

test('what is not an http URL has no host', () => {
  for (const url of [
    '',
    'not a url',
    'example.com/feed',
    'https://',
    'ftp://example.com/',
    'file:///etc/passwd',
    '@name',
  ]) {
    assert.equal(hostOf(url), null, url)
  }
})

test('no text makes it throw, and a host is its own host', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl()), (text) => {
      const host = hostOf(text)
      if (host !== null) assert.equal(hostOf(`https://${host}/`), host)
    }),
  )
})
