// One busy session with every kind of secret in it, servers that echo what they were sent, and a lot of trouble.
// Afterwards every row, every file, every line of the log and every answer is read: no secret stands anywhere in clear.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { startFakeX } from '../support/fake-x.ts'
import { leaksIn, valuesOf } from '../support/leaks.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { startWholeProduct, type WholeProduct } from '../support/whole-product.ts'
import { DAY } from '../support/world.ts'

const PASSWORD = 'pa:ss/wörd+%1'
const USERINFO = `me-${randomBytes(4).toString('hex')}:${encodeURIComponent(PASSWORD)}`

/** Trouble of every kind, each with what the request carried in its answer. */
function echo(origin: Origin): string[] {
  const sent = ({ headers }: IncomingMessage) => {
    const basic = headers.authorization?.split(' ')[1] ?? ''
    return { basic, plain: Buffer.from(basic, 'base64').toString() }
  }
  for (const status of [400, 401, 403, 404, 429, 500, 503]) {
    origin.route(`/${status}`, (request, response) => {
      const { basic, plain } = sent(request)
      response.writeHead(status, `No ${encodeURIComponent(plain)}`, { 'www-authenticate': `Basic realm="${basic}"` })
      response.end(JSON.stringify({ detail: `${plain} ${basic}`, authorization: request.headers.authorization }))
    })
  }
  origin.route('/page', (request, response) => {
    const { basic, plain } = sent(request)
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${plain}</p><!-- ${basic} -->`)
  })
  origin.route('/xml', (request, response) => void response.end(`<?xml version="1.0"?><${sent(request).plain}>`))
  origin.route('/circle', (request, response) => {
    const { plain, basic } = sent(request)
    response
      .writeHead(302, {
        location: `http://${USERINFO}@${origin.host}:${origin.port}/circle?${basic}&${encodeURIComponent(plain)}`,
      })
      .end()
  })
  origin.route('/ftp', (_request, response) => void response.writeHead(301, { location: `ftp://${USERINFO}@h/` }).end())
  origin.route('/encoding', (request, response) => {
    response.writeHead(200, { 'content-encoding': sent(request).basic }).end('x')
  })
  origin.route('/drop', (_request, response) => response.destroy())
  return ['400', '401', '403', '404', '429', '500', '503', 'page', 'xml', 'circle', 'ftp', 'encoding', 'drop']
}

async function everyGet({ ask }: WholeProduct, token: string, ids: Readonly<Record<string, string>>): Promise<void> {
  const { paths } = (await ask('GET', '/openapi.json')).body as { paths: Record<string, Record<string, unknown>> }
  for (const [path, operations] of Object.entries(paths)) {
    if (!('get' in operations) || path === '/api/events') continue
    await ask(
      'GET',
      path.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? 'none'),
      { token },
    )
  }
}

test('no secret stands in clear in any row, file, log line or answer', async () => {
  const clock = new ManualClock()
  await using x = await startFakeX({ now: () => clock.now() })
  await using origin = await startOrigin()
  const troubles = echo(origin)
  const masterKey = randomBytes(32).toString('base64')
  const http = { allowPrivateNetworks: ['127.0.0.0/8'] }
  const config = { encryption: { masterKey }, x: { baseUrl: x.url }, http, source: { maxFailures: 2 } }
  await using product = await startWholeProduct({ clock, config })
  const { ask, answers } = product
  const secrets: Record<string, string> = { masterKey, password: PASSWORD, userinfo: USERINFO }

  // People and tokens. An answer that shows a token is meant to; it is taken out of what is searched.
  const admin = await product.admin()
  const ann = await product.person('Ann')
  const made = await ask('POST', `/api/users/${ann.id}/tokens`, { token: ann.token, body: { name: 'more' } })
  answers.splice(answers.indexOf(made), 1)
  Object.assign(secrets, { admin, ann: ann.token, made: made.body.token, guess: 'tid_guess-of-somebody' })
  await ask('DELETE', `/api/users/${ann.id}/tokens/${made.body.id}`, { token: ann.token })
  await ask('GET', '/api/status', { token: made.body.token })
  await ask('GET', '/api/status', { token: secrets.guess })
  await ask('GET', `/api/status?token=${secrets.guess}&access_token=${secrets.guess}`)
  await ask('GET', '/api/users', { headers: { cookie: `t=${secrets.guess}`, authorization: `Basic ${secrets.guess}` } })

  // A key, good, refused and echoed.
  secrets.xKey = `x-${randomBytes(12).toString('hex')}/+=`
  x.accounts.add('11', 'birds')
  x.allowKey(secrets.xKey)
  const keys = `/api/users/${ann.id}/keys/x`
  await ask('PUT', keys, { token: ann.token, body: { apiKey: secrets.xKey } })
  await ask('PUT', keys, { token: ann.token, body: { apiKey: `${secrets.xKey} with spaces` } })
  await ask('PUT', keys, { token: ann.token, body: { apikey: secrets.xKey } })
  await ask('PUT', keys, { token: ann.token, raw: `{"apiKey": "${secrets.xKey}" oops` })
  const { body: bird } = await ask('POST', ann.sources, { token: ann.token, body: { url: '@birds' } })
  await product.app.engine.poll(bird.id)
  for (const status of [200, 302, 400, 401, 403, 500]) {
    const body = { title: secrets.xKey, detail: `Bearer ${secrets.xKey}`, errors: [{ message: secrets.xKey }] }
    x.answerOnce({ status, body, headers: { location: `/?${encodeURIComponent(secrets.xKey)}` } })
    await product.app.engine.poll(bird.id)
  }

  // Credentials in addresses: stored, tried, refused, imported, changed, exported.
  const withUserinfo = (path: string) => `${origin.url.replace('//', `//${USERINFO}@`)}/${path}`
  const ids: string[] = []
  for (const path of troubles) {
    const body = { type: 'rss', url: withUserinfo(path), validate: false, maxFailures: 1 }
    const { body: source } = await ask('POST', ann.sources, { token: admin, body })
    ids.push(source.id)
    await ask('POST', ann.sources, {
      token: admin,
      body: { ...body, url: `${withUserinfo(path)}?tested`, validate: true },
    })
    await ask('POST', '/api/preview', { token: admin, body: { type: 'rss', url: withUserinfo(path) } })
    await product.clock.advance(DAY)
  }
  for (const type of ['website', 'youtube', 'twitter']) {
    const body = { type, url: withUserinfo('400'), validate: false }
    const { body: source } = await ask('POST', ann.sources, {
      token: admin,
      body: { ...body, url: `${body.url}?${type}` },
    })
    if (source.id) ids.push(source.id)
  }
  for (const url of [
    `ftp://${USERINFO}@h/`,
    `http://${USERINFO}@`,
    `//${USERINFO}@h/`,
    `http://${USERINFO}@h:99999/`,
  ]) {
    await ask('POST', ann.sources, { token: admin, body: { url } })
    await ask('POST', '/api/preview', { token: admin, body: { url } })
    await ask('POST', `${ann.sources}/import`, { token: admin, raw: JSON.stringify([{ url, type: 'rss' }]) })
    await ask('GET', `${ann.sources}?url=${encodeURIComponent(url)}`, { token: admin })
  }
  await ask('POST', ann.sources, { token: admin, body: { type: 'rss', url: withUserinfo('401'), validate: false } })
  await ask('PATCH', `${ann.sources}/${ids[0]}`, { token: admin, body: { url: withUserinfo('moved') } })
  for (let day = 0; day < 3; day++) await product.pass(DAY)
  for (const id of ids) await ask('POST', `${ann.sources}/${id}/poll`, { token: admin })
  await product.pass(DAY)

  // Messages, signed, to a receiver that repeats what it got; and an address that tries to carry credentials.
  secrets.webhook = `whsec_${randomBytes(24).toString('base64')}`
  const webhooks = `/api/users/${ann.id}/webhooks`
  const hook = { url: `${origin.url}/500`, types: ['poll.finished'], secret: secrets.webhook }
  const { body: webhook } = await ask('POST', webhooks, { token: admin, body: hook })
  await ask('POST', webhooks, { token: admin, body: { ...hook, url: withUserinfo('500') } })
  await ask('POST', webhooks, { token: admin, body: { ...hook, types: ['none'] } })
  product.app.webhookSender.start()
  await product.app.engine.poll(bird.id)
  const signed = () => origin.requests.filter(({ headers }) => headers['webhook-signature'])
  while (signed().length === 0) await new Promise((resolve) => setTimeout(resolve, 10))

  for (const token of [admin, ann.token]) {
    const names = {
      user: ann.id,
      podcast: ann.podcastId,
      provider: 'x',
      host: origin.host,
      webhook: webhook.id,
    }
    for (const source of ids) await everyGet(product, token, { ...names, source })
  }
  await ask('DELETE', keys, { token: ann.token })
  await product.stop()

  // What must be there for this to mean anything: secrets were stored, sent and echoed.
  assert.ok(origin.requests.filter(({ headers }) => headers.authorization).length > troubles.length)
  assert.ok(typeof webhook.id === 'string' && signed().length > 0)
  assert.ok(x.requests.some(({ key }) => key === secrets.xKey))
  const values = [...valuesOf(join(product.dir, 'tidings.db'))]
  assert.ok(values.some(([place, text]) => place === 'secrets.sealed' && text.startsWith('v1.')))
  assert.ok(values.length > 1000 && answers.length > 300 && product.logged.length > 300)

  const files = await Promise.all(
    (await readdir(product.dir)).map(
      async (name) => [name, await readFile(join(product.dir, name), 'latin1')] as const,
    ),
  )
  const told = answers.map(({ text, headers }, index) => [`answer ${index}`, JSON.stringify(headers) + text] as const)
  const lines = product.logged.map((line) => ['log', line] as const)
  assert.deepEqual(leaksIn([...values, ...files, ...told, ...lines], secrets).slice(0, 20), [])
})

test('the search finds a secret in every form that it knows', () => {
  const secret = 'pa:ss/wörd+%1'
  const bytes = (text: string) => Buffer.from(text)
  for (const text of [
    `x ${secret} y`,
    `?p=${encodeURIComponent(secret)}`,
    JSON.stringify({ secret }),
    bytes(`${secret}.`).toString('hex'),
    ...['', 'a', 'ab', 'user:'].map((before) => bytes(before + secret).toString('base64')),
    ...['', 'a', 'ab', 'user:'].map((before) => bytes(before + secret).toString('base64url')),
  ]) {
    assert.equal(new Set(leaksIn([['here', text]], { secret }).map(([name]) => name)).size, 1, text)
  }
})
