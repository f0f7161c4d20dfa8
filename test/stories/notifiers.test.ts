// People are told in words, by ntfy, Slack-compatible addresses and mail.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import type { PartialConfig } from '../../src/ports/config.ts'
import { selfSigned } from '../support/certificate.ts'
import { startMailServer } from '../support/mail-server.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { usePostgres } from '../support/postgres.ts'
import { until } from '../support/until.ts'
import { startWholeProduct } from '../support/whole-product.ts'
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
    { ...about, type: 'source.enabled', data: { url: 'https://a.example/feed', reason: 'by a person' } },
  ])
  await until('the message arrives', () => told.length > 0)
  assert.equal(told.length, 1)
  assert.match(told[0]?.body ?? '', /^https:\/\/a\.example\/feed was disabled: Auto-disabled after 5 consecutive 404/)
  assert.equal(told[0]?.title, 'Tidings: a source was disabled')
  await assert.rejects(notifiers.test('default', broken.id), /did not arrive: .*404/)
})

const login = { user: 'tidings', password: 'pass-Wörd' }

for (const isSecure of [true, false]) {
  test(`mail goes out encrypted and logged in, by ${isSecure ? 'TLS' : 'STARTTLS'}, and says why it cannot`, async () => {
    const certificate = selfSigned({ names: ['127.0.0.1'] })
    await using mail = await startMailServer({ certificate, isSecure, login })
    const url = new URL(mail.url)
    Object.assign(url, { username: login.user, password: login.password })
    const trusting = new URL(url)
    trusting.searchParams.set('tls.ca', certificate.cert)
    const wrong = new URL(trusting)
    wrong.password = 'other'
    const tested = async (address: URL): Promise<string> => {
      await using product = await startWholeProduct({ config: { mail: { ...MAIL, url: address.href } } })
      const token = await product.admin()
      const path = '/api/users/default/notifiers'
      const body = { kind: 'email', target: 'ann@example.org' }
      const made = await product.ask('POST', path, { token, body })
      const { status, body: told, text } = await product.ask('POST', `${path}/${made.body.id}/test`, { token })
      for (const said of [text, ...product.logged]) assert.doesNotMatch(said, /pass-W|other/)
      return status === 200 ? 'delivered' : `${status} ${told.code} ${told.detail}`
    }
    assert.equal(await tested(trusting), 'delivered')
    const [received] = mail.received
    assert.deepEqual([received?.isEncrypted, received?.hasLoggedIn], [true, true])
    assert.match(received?.text ?? '', /From: tidings@example\.org[\s\S]*To: ann@example\.org/)
    assert.match(await tested(wrong), /^502 delivery-failed .*wrong user or password/)
    assert.match(await tested(url), /^502 delivery-failed .*self-signed certificate.*app\.mail\.url as \?tls\.ca=/)
    assert.equal(mail.received.length, 1)
  })
}

test('over REST a notifier is changed, tested and removed, and its failures are shown', async () => {
  await using origin = await startOrigin()
  const told = receiving(origin, '/topic')
  await using product = await startWholeProduct({ config: { http: { allowPrivateNetworks: ['127.0.0.0/8'] } } })
  const [token, path] = [await product.admin(), '/api/users/default/notifiers']
  const ask = (method: string, at: string, body?: unknown) =>
    product.ask(method, at, { token, ...(body !== undefined && { body }) })
  const tooLong = await ask('POST', path, { kind: 'ntfy', target: `https://hidden@example.org/${'a'.repeat(2000)}` })
  assert.equal(tooLong.status, 400)
  assert.match(tooLong.text, /of at most 2000 characters/)
  assert.doesNotMatch(tooLong.text, /hidden/)
  const made = await ask('POST', path, { kind: 'ntfy', target: `${origin.url}/gone?auth=hidden` })
  assert.deepEqual(
    [made.status, made.body.target, made.body.failures, made.body.lastError],
    [201, `${origin.url}/gone`, 0, null],
  )
  const one = `${path}/${made.body.id}`
  const failed = await ask('POST', `${one}/test`)
  assert.deepEqual([failed.status, failed.body.code], [502, 'delivery-failed'])
  assert.match(failed.body.detail, /404/)
  const wrong = await ask('PATCH', one, { target: 'nonsense' })
  assert.deepEqual([wrong.status, wrong.body.errors[0].path], [400, 'target'])
  const unknown = await ask('PATCH', one, { summryOnly: true })
  assert.deepEqual([unknown.status, unknown.body.errors[0].path], [400, 'summryOnly'])
  // An event that cannot be delivered counts as a failure until one is.
  product.app.webhookSender.start()
  const about = { at: product.clock.now(), userId: 'default', podcastId: 'default', sourceId: 's', host: null }
  const data = { url: 'https://a.example/feed', reason: 'Auto-disabled after 5 consecutive 404 errors' }
  await product.store.writeMeta('test', '', [{ ...about, type: 'source.disabled', data }])
  await until('the failure is shown', async () => (await ask('GET', one)).body.failures > 0)
  const shown = (await ask('GET', one)).body
  assert.equal(shown.pending, 1)
  assert.match(shown.lastError, /404/)
  const patch = { target: `${origin.url}/topic`, types: ['source.quiet'] }
  const changed = await ask('PATCH', one, patch)
  assert.deepEqual(
    [changed.status, changed.body.target, changed.body.types, changed.body.kind],
    [200, `${origin.url}/topic`, ['source.quiet'], 'ntfy'],
  )
  assert.deepEqual((await ask('POST', `${one}/test`)).body, { delivered: true })
  assert.equal(told.at(-1)?.body, 'A test message of Tidings.')
  assert.equal((await ask('DELETE', one)).status, 204)
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    assert.equal((await ask(method, one, method === 'PATCH' ? {} : undefined)).status, 404)
  }
  assert.equal((await ask('POST', `${one}/test`)).status, 404)
})

test('what cannot be a target is refused, without repeating it', async () => {
  await using world = await World.start()
  const { notifiers } = world.app.catalogue
  const wrong = notifiers.create('default', { kind: 'slack', target: 'hidden-thing' })
  await assert.rejects(
    wrong,
    (error: Error) => /target: expected an http/.test(error.message) && !/hidden/.test(error.message),
  )
  for (const target of ['mailto:a@b.example', 'a@b.example, c@d.example', 'Ann <a@b.example>', 'a@b@c.example'])
    await assert.rejects(notifiers.create('default', { kind: 'email', target }), /target: expected one mail address/)
  await assert.rejects(
    notifiers.create('default', { kind: 'email', target: 'a@b.example' }),
    /configure app\.mail\.url/,
  )
})
