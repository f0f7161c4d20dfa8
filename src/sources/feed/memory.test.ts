/** What is remembered from one document to the next is small, however large they are. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'

const DOCUMENTS = 50
const READ_MANY = `
  const { readFeed } = await import(${JSON.stringify(new URL('./read-feed.ts', import.meta.url))})
  const read = (at) => {
    const text = '<rss xmlns:dc="http://purl.org/dc/elements/1.1/?copy=' + at + '"><channel><item><dc:title>t &copy' + at +
      '; 12:30</dc:title><pubDate>5 januari 2020 12:30 europe/paris</pubDate></item>' + ' '.repeat(1_000_000)
    readFeed(Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?>' + text), { url: 'https://feeds.example/' })
  }
  const used = () => (gc(), process.memoryUsage().heapUsed)
  read(0)
  const before = used()
  for (let at = 1; at <= ${DOCUMENTS}; at++) read(at)
  console.log(used() - before)`

test('documents are forgotten when they have been read', () => {
  const kept = Number(execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', READ_MANY]))
  assert.ok(kept < 5_000_000, `${kept} bytes kept of ${DOCUMENTS} documents of a million each`)
})
