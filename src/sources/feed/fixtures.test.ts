import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readFeed } from './read-feed.ts'

const folder = new URL('./fixtures/', import.meta.url)
const files = readdirSync(folder)

for (const expectedFile of files.filter((name) => name.endsWith('.expected.json'))) {
  const name = expectedFile.replace('.expected.json', '')
  test(`the ${name} fixture is read as expected`, () => {
    const input = files.find((file) => file === `${name}.xml` || file === `${name}.json`)
    assert.ok(input, 'every expectation has its document')
    const { document, contentType, url } = JSON.parse(readFileSync(new URL(expectedFile, folder), 'utf8'))
    const read = readFeed(readFileSync(new URL(input, folder)), {
      contentType,
      url: url ?? 'https://feeds.example/blog/feed',
    })
    const entries = read.entries.map((entry) => ({
      ...entry,
      publishedAt: entry.publishedAt === null ? null : new Date(entry.publishedAt).toISOString(),
    }))
    assert.equal(entries.length, document.entries.length)
    assert.partialDeepStrictEqual({ ...read, entries }, document)
  })
}
