// What a store that answers out of order must not change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../support/manual-clock.ts'
import { startOrigin } from '../support/origin.ts'
import { usePostgres } from '../support/postgres.ts'
import { rss, startProduct } from '../support/product.ts'
import { until } from '../support/until.ts'

const postgres = usePostgres()

test('polls by hand come in the order in which they were asked for, whichever source is found first', async () => {
  const config = { database: { url: await postgres.freshDatabase() } }
  await using origin = await startOrigin({ host: '127.0.0.2' })
  await using product = await startProduct({ clock: new ManualClock(), config })
  const held = Promise.withResolvers<void>()
  origin.route('/0', async (_, response) => {
    await held.promise
    response.end(rss([]))
  })
  const ids: string[] = []
  for (const path of ['/0', '/1', '/2', '/3', '/4', '/5', '/6']) {
    if (path !== '/0') origin.route(path, { body: rss([]) })
    const source = { type: 'rss', url: origin.url + path } as const
    ids.push((await product.tidings.catalogue.sources.create('default', source)).id)
  }
  const [first = '', ...others] = ids
  const polls = [product.tidings.poll(first)]
  await until('the host is asked', () => origin.requests.length === 1)
  polls.push(...others.map((id) => product.tidings.poll(id)))
  held.resolve()
  await Promise.all(polls)
  assert.deepEqual(
    origin.requests.map(({ path }) => path),
    ['/0', '/1', '/2', '/3', '/4', '/5', '/6'],
  )
})
