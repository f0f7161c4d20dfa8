import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Rest } from '../rest.ts'
import { runTool } from '../tool.ts'
import { searchPosts } from './posts.ts'

const POST = {
  ...{ id: '7', title: 'Storm', url: 'https://a.example/7', body: 'A storm.', sourceId: 's1' },
  ...{ publishedAt: '2026-03-01T00:00:00.000Z', createdAt: '2026-03-01T00:00:00.000Z' },
}

/** A store in which a search has so many pages without posts before the one with its only match. */
function searchWith(emptyPages: number) {
  const asked: string[] = []
  const rest = new Rest(async ({ path }) => {
    const { pathname, searchParams } = new URL(path, 'http://tidings')
    if (pathname !== '/api/posts') return { status: 200, text: JSON.stringify({ id: 's1', label: 'News', url: 'x' }) }
    const cursor = searchParams.get('cursor') ?? '0'
    asked.push(cursor)
    const isEmpty = Number(cursor) < emptyPages
    const page = isEmpty ? { items: [], nextCursor: String(Number(cursor) + 1) } : { items: [POST], nextCursor: null }
    return { status: 200, text: JSON.stringify(page) }
  })
  return { rest, asked }
}

async function found(rest: Rest, cursor?: string) {
  const { structuredContent } = await runTool(searchPosts, rest, { query: 'storm', ...(cursor ? { cursor } : {}) })
  const { items, nextCursor } = structuredContent as { items: { id: string }[]; nextCursor: string | null }
  return { ids: items.map(({ id }) => id), nextCursor }
}

test('a search goes over pages without posts to the first that has some', async () => {
  const { rest, asked } = searchWith(3)
  assert.deepEqual(await found(rest), { ids: ['7'], nextCursor: null })
  assert.deepEqual(asked, ['0', '1', '2', '3'])
})

test('a search that finds nothing for long says where to go on', async () => {
  const { rest, asked } = searchWith(12)
  const { ids, nextCursor } = await found(rest)
  assert.deepEqual({ ids, nextCursor }, { ids: [], nextCursor: '10' })
  assert.equal(asked.length, 10)
  assert.deepEqual(await found(rest, '10'), { ids: ['7'], nextCursor: null })
})
