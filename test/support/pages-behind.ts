// A feed on one host whose entries lead to pages on another.
import assert from 'node:assert/strict'
import type { Origin } from './origin.ts'
import { rss } from './product.ts'
import { startWorld, TEST_START, type World } from './world.ts'

export const LONG = 'This is a sentence of the article that the feed does not have. '.repeat(20).trim()
export const page = (text = LONG, head = '') =>
  `<!doctype html><html lang="en"><head><title>T</title>${head}</head><body><article><h1>T</h1><p>${text}</p></article></body></html>`

/** A feed on the first origin whose entries lead to pages of `pages`. */
export function feedTo(world: World, pages: Origin, count = 1, body = 'A summary that ends here…') {
  const items = Array.from({ length: count }, (_, n) => ({
    ...{ title: `Post ${n}`, guid: `${n}`, body, link: `${pages.url}/p${n}`, publishedAt: TEST_START + n * 1000 },
  }))
  world.origin.route('/feed', { body: rss(items) })
  for (const [n] of items.entries()) pages.route(`/p${n}`, { contentType: 'text/html', body: page(`${n} ${LONG}`) })
}

export const paths = (origin: Origin) => origin.requests.map(({ path }) => path)
export const posts = async (world: World) => (await world.tidings.posts.list('default', { include: ['html'] })).items

export async function polled(settings: Record<string, unknown> = { fullText: 'auto' }, config = {}) {
  const world = await startWorld({ hosts: 2, config })
  const [, pages] = world.origins
  assert.ok(pages)
  feedTo(world, pages)
  const add = async () => {
    const source = await world.add('/feed', { backfillDays: 1, ...settings })
    await world.pass(0)
    return source
  }
  return { world, pages, add }
}
