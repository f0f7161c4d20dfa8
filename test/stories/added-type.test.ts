// A source type that the program does not come with, made up here: its own form of address, reader, lane and key. It is
// added where the parts are put together and goes through the whole product, which names no type anywhere else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApi } from '../../src/api/server.ts'
import type { AddedType } from '../../src/app/source-types.ts'
import { createApp } from '../../src/app.ts'
import { configFrom } from '../../src/config.ts'
import type { SourceReader } from '../../src/ports/reader.ts'
import { type Asked, askAt } from '../support/api.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { startOrigin } from '../support/origin.ts'
import { candidate } from '../support/posts.ts'
import { drained } from '../support/world.ts'

const SOURCES = '/api/users/default/podcasts/default/sources'
const POSTS = '/api/users/default/podcasts/default/posts'

interface Notice {
  readonly number: number
  readonly text: string
  readonly answers?: number
}

/** Notice boards, addressed as `board:<name>`. A board is asked for what came after the last notice that was read. */
function boardType(home: string): AddedType {
  const reader: SourceReader = {
    async read(source, visit) {
      const after = source.lastSeenId ?? '0'
      const answer = await visit.fetch({ url: `${source.url}?after=${after}`, accept: 'json' })
      if (answer.kind === 'not-modified') return { kind: 'unchanged', answer }
      if (answer.kind !== 'body') return { kind: 'ended', by: answer }
      const notices: Notice[] = JSON.parse(new TextDecoder().decode(answer.bytes))
      const candidates = notices.map(({ number, text, answers }) =>
        candidate(text, { guid: String(number), categories: answers ? [`replied_to:${answers}`] : [] }),
      )
      const mark = String(notices.at(-1)?.number ?? after)
      return { kind: 'document', answer, candidates, freshness: null, notes: [], mark, bodyHash: mark }
    },
  }
  const nameIn = (given: string): string | undefined => /^board:([a-z]+)$/i.exec(given)?.[1]?.toLowerCase()
  return {
    reader,
    type: {
      name: 'board',
      document: 'account',
      recognises: (given) => nameIn(given) !== undefined || given.startsWith(`${home}/boards/`),
      readAddress(given) {
        const name = nameIn(given) ?? (given.startsWith(`${home}/boards/`) ? given.slice(home.length + 8) : undefined)
        if (name === undefined) return { expected: 'a board such as board:name', remedy: '' }
        return { url: `${home}/boards/${name}`, urlKey: `${home}/boards/${name}`, credentials: null }
      },
      newEntries: 'by-mark',
      aggregates: true,
      keyProvider: 'boards',
      lane: { service: 'board' },
      testWhenAdded: 'always',
      pollDelaySeconds: 7,
    },
  }
}

async function served() {
  const clock = new ManualClock()
  const origin = await startOrigin({ host: '127.0.0.2', now: () => clock.now() })
  const config = configFrom({
    server: { port: 0 },
    database: { url: 'file::memory:' },
    http: { allowPrivateNetworks: ['127.0.0.0/8'] },
  })
  const app = await createApp({ config, clock, random: () => 0, addedTypes: [boardType(origin.url)] })
  const api = await createApi({ ...app, log: false, version: 'test' })
  const { url } = await api.listen()
  const close = async () => {
    await api.close()
    await app.close()
    await origin.close()
  }
  const ask = (method: string, path: string, asked?: Asked) => askAt(url, method, path, asked)
  return { origin, app, clock, ask, [Symbol.asyncDispose]: close }
}

type World = Awaited<ReturnType<typeof served>>

function pinUp({ origin }: World, notices: readonly Notice[]): void {
  origin.route('/boards/lost', (request, response) => {
    const after = Number(new URL(request.url ?? '', origin.url).searchParams.get('after'))
    response.end(JSON.stringify(notices.filter(({ number }) => number > after)))
  })
}

async function titles({ ask }: World): Promise<string[]> {
  const { body } = await ask('GET', POSTS)
  return body.items.map(({ title }: { title: string }) => title).toSorted()
}

test('a source of an added type is recognised, tested, stored, polled on schedule, and its posts are there', async () => {
  await using world = await served()
  const { ask, app, clock, origin } = world
  pinUp(world, [{ number: 1, text: 'A glove' }])
  const made = await ask('POST', SOURCES, { body: { url: 'board:Lost', backfillDays: 1 } })
  assert.equal(made.status, 201, made.text)
  assert.equal(made.body.type, 'board')
  assert.equal(made.body.url, `${origin.url}/boards/lost`)
  assert.equal(origin.requests.length, 1, 'the test fetch asks once')

  const polled = await ask('POST', `${SOURCES}/${made.body.id}/poll?wait=true`)
  assert.deepEqual([polled.body.outcome, polled.body.created], ['success', 1], polled.text)
  assert.deepEqual(await titles(world), ['A glove'])

  pinUp(world, [
    { number: 1, text: 'A glove' },
    { number: 2, text: 'An umbrella', answers: 1 },
  ])
  await clock.advance(31 * 60_000)
  await app.engine.tick()
  await drained(app.engine, clock)
  assert.deepEqual(await titles(world), ['A glove', 'An umbrella'])
  assert.equal(origin.requests.at(-1)?.path, '/boards/lost?after=1', "the reader's mark was kept")

  const articles = await ask('POST', '/api/users/default/podcasts/default/articles', { body: {} })
  assert.equal(articles.body.created.length, 1, 'its posts become threads, as is usual for the type')
})

test('an added type has a lane for each owner, its own spacing, and a key that starts its sources', async () => {
  await using world = await served()
  const { ask, app } = world
  pinUp(world, [{ number: 1, text: 'A glove' }])
  const { id: ann } = await app.catalogue.users.create({ name: 'Ann' })
  const { id: podcast } = await app.catalogue.podcasts.create(ann, { name: "Ann's" })
  const hers = await app.catalogue.sources.create(podcast, { url: 'board:lost', type: 'board' })
  const { id } = (await ask('POST', SOURCES, { body: { url: 'board:lost' } })).body
  await ask('POST', `${SOURCES}/${id}/poll?wait=true`)
  await app.engine.poll(hers.id)

  for (const lane of ['board:default', `board:${ann}`]) {
    const { status, body } = await ask('GET', `/api/hosts/${encodeURIComponent(lane)}`)
    assert.deepEqual([status, body.host], [200, lane])
  }
  const state = await app.store.hostState(`board:${ann}`)
  assert.equal((state?.notBefore ?? 0) - (state?.lastCompletedAt ?? 0), 7000)

  const before = (await app.store.getSource(id))?.nextPollAt
  assert.equal((await ask('PUT', '/api/users/default/keys/boards', { body: { apiKey: 'k' } })).status, 204)
  assert.ok((before ?? 0) > world.clock.now())
  assert.equal((await app.store.getSource(id))?.nextPollAt, world.clock.now())
})

test('an added type is named wherever types are: in refusals, the description, lists and the forecast', async () => {
  await using world = await served()
  const { ask, origin } = world
  const refused = await ask('POST', SOURCES, { body: { url: 'https://a.example/', type: 'pigeon' } })
  assert.match(refused.text, /expected one of rss, website, twitter, youtube, board/)
  const wrong = await ask('POST', SOURCES, { body: { url: 'https://a.example/', type: 'board' } })
  assert.match(wrong.text, /expected a board such as board:name/)
  const untested = await ask('POST', SOURCES, { body: { url: 'https://a.example/', validate: false } })
  assert.match(untested.text, /rss, website, twitter, youtube or board/)

  const { components } = (await ask('GET', '/openapi.json')).body
  assert.ok(components.schemas.Source.properties.type.enum.includes('board'))

  const headers = { 'content-type': 'text/plain' }
  const imported = await ask('POST', `${SOURCES}/import`, { raw: 'board:lost\nhttps://a.example/feed\n', headers })
  assert.deepEqual(imported.body, { added: 2, skipped: 0, failed: [] }, imported.text)
  const listed = await ask('GET', `${SOURCES}?type=board`)
  assert.deepEqual(
    listed.body.items.map(({ url }: { url: string }) => url),
    [`${origin.url}/boards/lost`],
  )
  // Without the key that the type needs, its polls ask nobody.
  const { hosts } = (await ask('GET', '/api/forecast')).body
  const requests = new Map(hosts.map(({ host, requests }: { host: string; requests: number }) => [host, requests]))
  assert.equal(requests.get('board:default'), 0)
  assert.ok(Number(requests.get('a.example')) > 0)
})
