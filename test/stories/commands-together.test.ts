// Commands that work on one SQLite file at the same time, without a `serve`: a job of cron that overlaps the one before.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type App, createApp } from '../../src/app.ts'
import { configFrom } from '../../src/config.ts'
import { LEASE_MS } from '../../src/domain/host-lease.ts'
import { HOUR_MS } from '../../src/domain/schedule.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { runProcess } from '../support/serve-process.ts'
import { until } from '../support/until.ts'

class Folder implements AsyncDisposable {
  readonly path: string

  private constructor(path: string) {
    this.path = path
  }

  static async make(): Promise<Folder> {
    return new Folder(await mkdtemp(join(tmpdir(), 'tidings-together-')))
  }

  open(over: { clock?: ManualClock; sharesFile?: boolean } = {}): Promise<App> {
    const url = `file:${join(this.path, 'tidings.db')}`
    const config = configFrom({ database: { url }, http: { allowPrivateNetworks: ['127.0.0.0/8'] } })
    return createApp({ config, ...over })
  }

  pollDue(): Promise<{ readonly out: string; readonly err: string }> {
    return runProcess(['poll', '--due', '--data', this.path])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true })
  }
}

async function add(app: App, origin: Origin, path: string, settings = {}): Promise<string> {
  const url = origin.url + path
  return (await app.catalogue.sources.create('default', { type: 'rss', url, validate: false, ...settings })).id
}

async function isWanted({ store }: App, { host }: Origin): Promise<boolean> {
  return (await store.hostState(host))?.claimedBy != null
}

test('two commands that poll what is due share a host: one visit at a time, each source once, failures counted once', async () => {
  await using folder = await Folder.make()
  await using app = await folder.open()
  await using origin = await startOrigin({ host: '127.0.0.2' })
  const bothAreThere = Promise.withResolvers<void>()
  const paths = ['/1', '/2', '/3', '/4']
  for (const path of paths) {
    origin.route(path, async (_, response) => {
      await bothAreThere.promise
      setTimeout(() => response.writeHead(path === '/2' ? 500 : 200).end(rss([{ title: path, guid: path }])), 300)
    })
    await add(app, origin, path, { pollDelaySeconds: 1 })
  }
  const first = folder.pollDue()
  await until('the first is at the host', () => origin.requests.length > 0)
  const second = folder.pollDue()
  await until('the second waits for it', () => isWanted(app, origin)).finally(bothAreThere.resolve)
  const ran = await Promise.all([first, second])

  assert.equal(origin.mostAtOnce, 1)
  assert.deepEqual(origin.requests.map(({ path }) => path).toSorted(), paths)
  for (const [n, { at }] of origin.requests.entries()) {
    const before = origin.requests[n - 1]
    assert.ok(!before || at - before.at >= 1000, `request ${n} keeps its distance`)
  }
  for (const source of (await app.catalogue.sources.list('default', {})).items) {
    assert.equal(source.consecutiveFailures, source.url.endsWith('/2') ? 1 : 0, source.url)
    assert.equal((await app.store.listPolls(source.id, { limit: 10, cursor: null })).items.length, 1, source.url)
  }
  // What was in flight is joined; what was done by the time it was wanted is left alone.
  for (const { out, err } of ran) {
    assert.match(out, /^ok .*\/1 /m, err)
    assert.equal(out.match(/^(ok|FAILED|skipped) /gm)?.length, paths.length, out)
  }
})

test('a source that is not due any more when its turn comes is reported, not polled', async () => {
  await using folder = await Folder.make()
  await using app = await folder.open()
  await using origin = await startOrigin({ host: '127.0.0.2' })
  const ids = [await add(app, origin, '/1'), await add(app, origin, '/2')]
  const inAnHour = Date.now() + HOUR_MS
  for (const path of ['/1', '/2']) {
    origin.route(path, async (_, response) => {
      await app.store.planSources(ids.map((id) => ({ id, nextPollAt: inAnHour })))
      response.end(rss([]))
    })
  }
  const { out } = await folder.pollDue()
  assert.equal(origin.requests.length, 1)
  assert.match(out, /^skipped http\S+ {2}not due any more, next 20\S+Z$/m)
  assert.match(out, /^1 ok, 0 failed, 1 not due any more; 0 new posts$/m)
})

for (const pollDelaySeconds of [0, 1]) {
  test(`what a command that died left held keeps others waiting for as long as it lasts, and whoever has the file alone not at all, ${pollDelaySeconds} s apart`, async () => {
    await using folder = await Folder.make()
    await using origin = await startOrigin({ host: '127.0.0.2' })
    origin.route('/feed', { body: rss([]) })
    const clock = new ManualClock()
    await using alone = await folder.open({ clock })
    await using command = await folder.open({ clock, sharesFile: true })
    const id = await add(alone, origin, '/feed', { pollDelaySeconds })
    const now = clock.now()
    const lease = { by: 'the dead', until: now + LEASE_MS }
    assert.ok(await alone.store.leaseHost(origin.host, { startedAt: now, notBefore: now, lease }))

    const waiting = command.engine.poll(id)
    await until('it waits', () => isWanted(alone, origin))
    assert.equal((await command.engine.why(id)).code, 'lane-busy')
    assert.equal(origin.requests.length, 0)
    assert.notEqual((await alone.engine.why(id)).code, 'lane-busy')
    assert.equal((await alone.engine.poll(id)).outcome, 'success')
    assert.equal(origin.requests.length, 1)

    await clock.advance(LEASE_MS + 2000)
    assert.equal((await waiting).outcome, 'success')
    assert.equal(origin.requests.length, 1, 'polled since it was asked for: that record will do')
  })
}
