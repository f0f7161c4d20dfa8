// People are told in words, by ntfy, Slack-compatible addresses and mail.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import type { PartialConfig } from '../../src/ports/config.ts'
import { startMailServer } from '../support/mail-server.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { usePostgres } from '../support/postgres.ts'
import { until } from '../support/until.ts'
import { World } from '../support/world-under-clock.ts'

const postgres = usePostgres()
const MAIL = { url: 'smtp://127.0.0.1:1', from: 'tidings@example.org' }

function story(name: string, body: (config: PartialConfig) => Promise<void>): void {
  test(`${name} (SQLite)`, () => body({}))
  test(`${name} (PostgreSQL)`, async () =>
    body({
      database: { url: await postgres.freshDatabase() },
      encryption: { masterKey: randomBytes(32).toString('base64') },
    }))
}

function receiving(
  origin: Origin,
  path: string,
): { body: string; title: string | undefined; auth: string | undefined }[] {
  const received: { body: string; title: string | undefined; auth: string | undefined }[] = []
  origin.route(path, async (request, response) => {
    const { title, authorization } = request.headers
    received.push({
      body: await text(request),
      title: title === undefined ? undefined : String(title),
      auth: authorization,
    })
    response.end('ok')
  })
  return received
}

story('a test message goes out before the answer; a target is never shown whole', async (given) => {
  await using origin = await startOrigin()
  await using mail = await startMailServer()
  const ntfy = receiving(origin, '/topic')
  const slack = receiving(origin, '/services/T0/B0/secret')
  const http = { allowPrivateNetworks: ['127.0.0.0/8'] }
  await using world = await World.start({ ...given, http, mail: { ...MAIL, url: mail.url } })
  const { notifiers, webhooks } = world.app.catalogue
  const target = origin.url.replace('//', '//me:hidden@')
  const byNtfy = await notifiers.create('default', { kind: 'ntfy', target: `${target}/topic?auth=hidden` })
  assert.equal(byNtfy.target, `${origin.url}/topic`)
  assert.deepEqual(byNtfy.types.slice(0, 2), ['source.disabled', 'host.opened'])
  const bySlack = await notifiers.create('default', { kind: 'slack', target: `${origin.url}/services/T0/B0/secret` })
  assert.equal(bySlack.target, '127.0.0.1')
  const byMail = await notifiers.create('default', { kind: 'email', target: 'ann@example.org', summaryOnly: true })
  assert.deepEqual([byMail.target, byMail.types, byMail.summaryOnly], ['ann@example.org', ['summary.daily'], true])
  for (const { id } of [byNtfy, bySlack, byMail])
    assert.deepEqual(await notifiers.test('default', id), { delivered: true })
  assert.equal(ntfy[0]?.body, 'A test message of Tidings.')
  assert.equal(ntfy[0]?.auth, `Basic ${Buffer.from('me:hidden').toString('base64')}`)
  assert.match(JSON.parse(slack[0]?.body ?? '').text, /A test message of Tidings\./)
  assert.match(mail.messages[0] ?? '', /To: ann@example\.org[\s\S]*A test message of Tidings\./)
  assert.equal((await notifiers.list('default')).items.length, 3)
  assert.equal((await webhooks.list('default')).items.length, 0)
  await assert.rejects(webhooks.get('default', byNtfy.id), /no such webhook/)
  const changed = await notifiers.update('default', byNtfy.id, { summaryOnly: true })
  assert.deepEqual([changed.types, changed.target], [['summary.daily'], byNtfy.target])
  await notifiers.remove('default', byNtfy.id)
  assert.equal((await notifiers.list('default')).items.length, 2)
})

story('an event becomes one message in words, and a test that fails says why', async (given) => {
  await using origin = await startOrigin()
  const told = receiving(origin, '/topic')
  await using world = await World.start({ ...given, http: { allowPrivateNetworks: ['127.0.0.0/8'] } })
  const { notifiers } = world.app.catalogue
  await notifiers.create('default', { kind: 'ntfy', target: `${origin.url}/topic` })
  const broken = await notifiers.create('default', {
    kind: 'slack',
    target: `${origin.url}/nothing-here`,
    types: ['posts.created'],
  })
  world.app.webhookSender.start()
  const about = { at: world.clock.now(), userId: 'default', podcastId: 'default', sourceId: 's', host: null }
  const data = { url: 'https://a.example/feed', reason: 'Auto-disabled after 5 consecutive 404 errors' }
  await world.app.store.writeMeta('test', '', [
    { ...about, type: 'source.disabled', data },
    { ...about, type: 'source.enabled', data: { url: 'https://a.example/feed' } },
  ])
  await until('the message arrives', () => told.length > 0)
  assert.equal(told.length, 1)
  assert.match(told[0]?.body ?? '', /^https:\/\/a\.example\/feed was disabled: Auto-disabled after 5 consecutive 404/)
  assert.equal(told[0]?.title, 'Tidings: a source was disabled')
  await assert.rejects(notifiers.test('default', broken.id), /did not arrive: .*404/)
})

test('what cannot be a target is refused, without repeating it', async () => {
  await using world = await World.start()
  const { notifiers } = world.app.catalogue
  const wrong = notifiers.create('default', { kind: 'slack', target: 'hidden-thing' })
  await assert.rejects(
    wrong,
    (error: Error) => /target: expected an http/.test(error.message) && !/hidden/.test(error.message),
  )
  await assert.rejects(
    notifiers.create('default', { kind: 'email', target: 'a@b.example' }),
    /configure app\.mail\.url/,
  )
})
