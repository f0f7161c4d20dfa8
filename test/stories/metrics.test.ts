import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import { createApi } from '../../src/api/server.ts'
import { createMeters, figuresOf } from '../../src/metrics/meters.ts'
import { askAt } from '../support/api.ts'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { until } from '../support/until.ts'
import { World } from '../support/world-under-clock.ts'

async function servedBy(world: World) {
  const { config, catalogue, engine, store, clock, events, metrics } = world.app
  metrics.start()
  const parts = { config, catalogue, engine, store, clock, events, metrics, log: false as const, version: 'test' }
  const api = await createApi(parts)
  const { url } = await api.listen()
  return { ask: (path: string, token?: string) => askAt(url, 'GET', path, { token }), close: () => api.close() }
}

type Api = Awaited<ReturnType<typeof servedBy>>

/** Counters follow the events a moment later. */
async function figures(api: Api, isThere: (text: string) => boolean = () => true): Promise<string> {
  let text = ''
  await until('the figures are there', async () => {
    text = (await api.ask('/metrics')).text
    return isThere(text)
  })
  return text
}

test('polls, posts, drops, bytes and what 304 saved are counted, without URL, host or id in any label', async () => {
  await using world = await World.start({ server: { port: 0 } })
  await using origin = await startOrigin()
  const items = [
    { title: 'New', guid: 'n', publishedAt: world.clock.now() + 60_000 },
    { title: 'Old', guid: 'o', publishedAt: 0 },
  ]
  const body = rss(items)
  origin.route('/feed', { body, etag: '"1"', contentType: 'application/rss+xml' })
  const ok = await world.add(`${origin.url}/feed`)
  const dead = await world.add(`${origin.url}/dead`)
  const api = await servedBy(world)
  try {
    for (const id of [ok, ok, dead]) await world.app.engine.poll(id)
    const text = await figures(api, (told) => /outcome="permanent"/.test(told))
    const line = (start: string) => text.split('\n').find((each) => each.startsWith(start)) ?? `no ${start}`
    const value = (start: string) => Number(line(start).split(' ').at(-1))
    assert.equal(value('tidings_polls_total{type="rss",outcome="success",trigger="manual"}'), 2)
    assert.equal(value('tidings_polls_total{type="rss",outcome="permanent",trigger="manual"}'), 1)
    assert.equal(value('tidings_posts_created_total{type="rss"}'), 1)
    assert.equal(value('tidings_entries_dropped_total{rule="tooOld"}'), 1)
    assert.equal(value('tidings_http_answers_total{answer="304"}'), 1)
    assert.equal(value('tidings_http_saved_bytes_total'), Buffer.byteLength(body))
    assert.ok(value('tidings_http_received_bytes_total') >= Buffer.byteLength(body))
    assert.equal(value('tidings_sources{state="enabled"}'), 2)
    assert.equal(value('tidings_outage'), 0)
    assert.ok(value('tidings_store_duration_seconds_count{verb="recordPoll"}') >= 3)
    assert.ok(value('tidings_event_loop_delay_seconds{quantile="0.99"}') >= 0)
    assert.ok(!text.includes(origin.host) && !text.includes(ok) && !text.includes('http://'))
  } finally {
    await api.close()
  }
})

test('what the test fetch of a new source brought is counted with its first poll, and is what a 304 saves', async () => {
  await using world = await World.start({ server: { port: 0 } })
  await using origin = await startOrigin()
  const body = rss([{ title: 'One', guid: '1' }])
  origin.route('/feed', { body, etag: '"1"', contentType: 'application/rss+xml' })
  const api = await servedBy(world)
  try {
    const id = await world.add(`${origin.url}/feed`, { validate: true })
    assert.equal((await world.app.engine.poll(id)).bytes, Buffer.byteLength(body))
    assert.equal(origin.requests.length, 1, 'asked once for both')
    await world.app.engine.poll(id)
    const text = await figures(api, (told) => /answer="304"\} 1/.test(told))
    assert.match(text, new RegExp(`tidings_http_received_bytes_total ${Buffer.byteLength(body)}\n`))
    assert.match(text, new RegExp(`tidings_http_saved_bytes_total ${Buffer.byteLength(body)}\n`))
  } finally {
    await api.close()
  }
})

test('scheduled polls tell how far behind their plan they were; a breaker that opens is counted', async () => {
  await using world = await World.start({ server: { port: 0 } })
  await using origin = await startOrigin()
  const answer = { body: rss([{ title: 'One', guid: '1' }]), contentType: 'application/rss+xml' }
  for (const n of [1, 2, 3]) {
    origin.route(`/feed-${n}`, answer)
    await world.add(`${origin.url}/feed-${n}`, { pollIntervalMinutes: 10 })
  }
  const api = await servedBy(world)
  try {
    await world.run(15)
    for (const n of [1, 2, 3]) origin.route(`/feed-${n}`, { status: 403 })
    await world.run(15)
    const text = await figures(api, (told) => /tidings_breaker_changes_total\{to="open"\} 1/.test(told))
    assert.match(text, /tidings_breakers\{state="open"\} 1/)
    const [, lags] = /tidings_poll_lag_seconds_count (\d+)/.exec(text) ?? []
    assert.ok(Number(lags) >= 6)
    const [, withinAMinute] = /tidings_poll_lag_seconds_bucket\{le="60"\} (\d+)/.exec(text) ?? []
    assert.equal(withinAMinute, lags, 'none waited for more than a tick')
  } finally {
    await api.close()
  }
})

test('with authentication on, figures need an admin token', async () => {
  await using world = await World.start({ server: { port: 0, auth: 'required' } })
  const { tokens, users } = world.app.catalogue
  const { id } = await users.create({ name: 'Bob' })
  const { token: user } = await tokens.create(id, { name: 'plain' })
  const { token: admin } = await tokens.create('default', { name: 'admin', admin: true })
  const api = await servedBy(world)
  try {
    const statuses = [undefined, user, admin].map(async (token) => (await api.ask('/metrics', token)).status)
    assert.deepEqual(await Promise.all(statuses), [401, 403, 200])
  } finally {
    await api.close()
  }
})

describe('what is shipped for Grafana and Prometheus', () => {
  const known = new Set<string>()
  const figures = figuresOf(createMeters())
  for (const { name, type } of figures) {
    known.add(name)
    if (type === 'histogram') for (const part of ['bucket', 'sum', 'count']) known.add(`${name}_${part}`)
  }
  const namesIn = (text: string) => [...new Set([...text.matchAll(/\btidings_[a-z_]+/g)].map(([name]) => name))]
  const read = (path: string) => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8')

  test('the dashboard is valid and names only figures that exist', () => {
    const dashboard = JSON.parse(read('grafana/tidings.json'))
    const queries = dashboard.panels.flatMap((panel: { targets?: { expr: string }[] }) =>
      (panel.targets ?? []).map(({ expr }) => expr),
    )
    assert.ok(queries.length >= 15)
    const named = namesIn(queries.join('\n'))
    assert.deepEqual(
      named.filter((name) => !known.has(name)),
      [],
    )
    const ids = dashboard.panels.map(({ id }: { id: number }) => id)
    assert.equal(new Set(ids).size, ids.length)
  })

  test('the alert rules are valid and name only figures that exist', () => {
    const { groups } = parse(read('alerts.yml'))
    const rules = groups.flatMap((group: { rules: unknown[] }) => group.rules)
    assert.ok(rules.length >= 6)
    for (const rule of rules) {
      assert.ok(rule.alert && rule.expr && rule.annotations.summary && rule.annotations.description)
      assert.ok(namesIn(rule.expr).length > 0)
      assert.deepEqual(
        namesIn(rule.expr).filter((name) => !known.has(name)),
        [],
      )
    }
  })

  test('the page about figures tells of every one of them', () => {
    const page = read('operations/metrics.md')
    assert.deepEqual(
      figures.map(({ name }) => name).filter((name) => !page.includes(`\`${name}`)),
      [],
    )
    assert.deepEqual(
      namesIn(page).filter((name) => !known.has(name)),
      [],
    )
  })
})
