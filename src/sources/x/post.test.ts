import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { candidateOf, xPost } from './post.ts'

const read = (post: Record<string, unknown>) => candidateOf(xPost.parse({ id: '10', text: '', ...post }), 'ada')

test('a post becomes a candidate with the address, author, guid and hash of its text', () => {
  assert.deepEqual(read({ text: 'Hello', created_at: '2026-02-16T12:00:00.000Z' }), {
    title: 'Hello',
    body: 'Hello',
    url: 'https://x.com/ada/status/10',
    publishedAt: Date.UTC(2026, 1, 16, 12),
    author: '@ada',
    guid: '10',
    categories: [],
    contentHash: createHash('sha256').update('Hello').digest('hex'),
  })
})

test('a title has at most 100 characters, and dots only when something was cut', () => {
  assert.equal(read({ text: 'a'.repeat(100) }).title, 'a'.repeat(100))
  assert.equal(read({ text: 'a'.repeat(101) }).title, `${'a'.repeat(100)}...`)
})

test('a title is cut between characters, never inside one', () => {
  assert.equal(read({ text: '👩'.repeat(100) }).title, '👩'.repeat(100))
  assert.equal(read({ text: `${'a'.repeat(99)}👩b` }).title, `${'a'.repeat(99)}👩...`)
})

test('a long post is its note, not the beginning that stands in its text', () => {
  const long = 'word '.repeat(100)
  const { title, body } = read({ text: 'word word…', note_tweet: { text: long } })
  assert.equal(body, long)
  assert.equal(title, `${long.slice(0, 100)}...`)
})

test('the three entities of X are decoded once, before cutting and hashing', () => {
  assert.equal(read({ text: 'a &lt; b &amp;&amp; c &gt; d' }).body, 'a < b && c > d')
  assert.equal(read({ text: '&amp;lt; &quot; &nbsp;' }).body, '&lt; &quot; &nbsp;')
  assert.equal(read({ text: '&amp;'.repeat(100) }).title, '&'.repeat(100))
})

test('what a post refers to stands in its categories and leaves the title alone', () => {
  const reply = read({ text: 'Indeed', referenced_tweets: [{ type: 'replied_to', id: '9' }] })
  assert.deepEqual(reply.categories, ['reply', 'replied_to:9'])
  assert.equal(reply.title, 'Indeed')
  const both = [
    { type: 'quoted', id: '7' },
    { type: 'replied_to', id: '8' },
    { type: 'newly_invented', id: '9' },
  ]
  assert.deepEqual(read({ referenced_tweets: both }).categories, ['quote', 'quoted:7', 'reply', 'replied_to:8'])
  assert.deepEqual(read({ referenced_tweets: [{ type: 'retweeted', id: '6' }] }).categories, ['retweet', 'retweeted:6'])
})

test('a date that is missing, senseless or without a zone is none', () => {
  for (const created_at of [undefined, 'yesterday', '2026-02-16T12:00:00', 42]) {
    assert.equal(read({ created_at }).publishedAt, null, String(created_at))
  }
})
