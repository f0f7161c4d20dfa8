// The library beside others on the same file, and what it offers beyond polling.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTidings, Problem } from '../../src/index.ts'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { startServe } from '../support/serve-process.ts'

function scratch() {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-library-'))
  const config = {
    database: { url: `file:${join(folder, 'tidings.db')}` },
    http: { allowPrivateNetworks: ['127.0.0.0/8'] },
  }
  return { folder, config, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}

function isInUse(words: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Problem, String(error))
    assert.equal(error.code, 'store-in-use')
    assert.match(error.message, words)
    return true
  }
}

test('a second instance on one file is refused until the first has stopped or is disposed', async () => {
  using place = scratch()
  const { config } = place
  const first = await createTidings({ config })
  await assert.rejects(createTidings({ config }), isInUse(/Another program .* call stop\(\) there, or give this/))
  await first.start()
  await first.stop()
  {
    await using second = await createTidings({ config })
    assert.deepEqual((await second.catalogue.podcasts.list('default')).items.length, 1)
    // Reading and changing goes on beside it; polling does not.
    const source = await first.catalogue.sources.create('default', { type: 'rss', url: 'http://127.0.0.31:1/' })
    await assert.rejects(first.tick(), isInUse(/works on/))
    await assert.rejects(first.poll(source.id), isInUse(/works on/))
    await assert.rejects(first.preview({ url: 'http://127.0.0.31:1/' }), isInUse(/works on/))
    await assert.rejects(
      first.catalogue.sources.create('default', { type: 'rss', url: 'http://127.0.0.31:1/a', validate: true }),
      isInUse(/works on/),
    )
  }
  await first.tick()
  await assert.rejects(createTidings({ config }), isInUse(/works on/))
  await first[Symbol.asyncDispose]()
  await (await createTidings({ config }))[Symbol.asyncDispose]()
})

test('a running serve keeps the library out and says where it listens', async () => {
  using place = scratch()
  {
    await using _serve = await startServe(place.folder)
    await assert.rejects(
      createTidings({ config: place.config }),
      isInUse(/A tidings serve works on .*http:.*process \d+/),
    )
  }
  await (await createTidings({ config: place.config }))[Symbol.asyncDispose]()
})

test('an instance that cannot open its store gives the file back', async () => {
  using place = scratch()
  const { config } = place
  const wrong = { ...config, encryption: { masterKey: 'short' } }
  await assert.rejects(createTidings({ config: wrong as typeof config }))
  await (await createTidings({ config }))[Symbol.asyncDispose]()
})

test('keys, tokens, webhooks, cursors, why, preview and hosts are there', async () => {
  using place = scratch()
  await using origin = await startOrigin({ host: '127.0.0.32' })
  origin.route('/feed', { body: rss([{ title: 'One', guid: '1' }]) })
  await using tidings = await createTidings({ config: place.config })
  const { catalogue } = tidings
  const preview = await tidings.preview({ url: `${origin.url}/feed` })
  assert.deepEqual([preview.type, preview.posts.length], ['rss', 1])
  await assert.rejects(tidings.preview({ url: 'nonsense' }), (error) => (error as Problem).code === 'invalid-input')
  const source = await catalogue.sources.create('default', { type: 'rss', url: `${origin.url}/feed` })
  assert.equal((await tidings.poll(source.id)).outcome, 'success')
  assert.match((await tidings.why(source.id)).sentence, /\w/)
  await assert.rejects(tidings.why('nothing'), (error) => (error as Problem).code === 'not-found')
  assert.equal((await tidings.hosts.reset('127.0.0.32')).breaker.state, 'closed')
  assert.equal((await tidings.posts.list('default')).items.length, 1)

  await catalogue.keys.put('default', 'x', { apiKey: 'secret' })
  assert.equal((await catalogue.keys.status('default', 'x')).configured, true)
  assert.match((await catalogue.tokens.create('default', { name: 'mine' })).token, /^tid_/)
  assert.equal((await catalogue.cursors.put('default', 'me', { position: '0' })).behind, 1)
  assert.deepEqual((await catalogue.cursors.list('default')).items.length, 1)
  const hook = await catalogue.webhooks.create('default', { url: 'http://127.0.0.32:1/' })
  await assert.rejects(catalogue.webhooks.test('default', hook.id), (error) => {
    return (error as Problem).code === 'delivery-failed'
  })
  assert.deepEqual(await catalogue.sources.bulk('default', { filter: {}, action: 'disable' }), { done: 1, failed: [] })
})
