import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selfSigned } from '../../test/support/certificate.ts'
import { type MailServerOptions, startMailServer } from '../../test/support/mail-server.ts'
import { sendMail } from './send-mail.ts'

const login = { user: 'tidings', password: 'pass-Wörd' }
const LETTER = { title: 'a title', text: 'a text', messageId: 'msg_1' }
const never = new AbortController().signal

async function send(options: MailServerOptions, signal: AbortSignal, change: (url: URL) => void = () => {}) {
  await using server = await startMailServer(options)
  const url = new URL(server.url)
  change(url)
  const mail = { url: url.href, from: 'tidings@example.org' }
  const result = await sendMail(mail, 'ann@example.org', LETTER, signal)
  return { result, messages: server.messages }
}

function errorOf({ result }: Awaited<ReturnType<typeof send>>): string {
  assert.ok(result.kind === 'mailed')
  return result.failure?.error ?? ''
}

test('a mail server that repeats the login and sends control characters shows neither', async () => {
  for (const user of [login.user, 'mail:tidings@example.org']) {
    const plain = Buffer.from(`\0${user}\0${login.password}`).toString('base64')
    const answers = (line: string) =>
      line.startsWith('AUTH')
        ? `535-no: ${line}\r\n535 \u001b[31m${login.password} ${encodeURIComponent(login.password)}`
        : null
    const withLogin = (url: URL) => Object.assign(url, { username: encodeURIComponent(user), password: login.password })
    const said = errorOf(await send({ login: { ...login, user }, answers }, never, withLogin))
    assert.match(said, /535.*\*\*\*/)
    assert.ok(!said.includes(login.password) && !said.includes(plain.slice(0, 12)), user)
    assert.doesNotMatch(said, /pass-W|[\u0000-\u001f]/)
  }
})

test('a message has the same Message-ID in every try, at the domain that it comes from', async () => {
  await using server = await startMailServer()
  for (const from of ['tidings@example.org', 'Tidings <tidings@example.org>'])
    await sendMail({ url: server.url, from }, 'ann@example.org', LETTER, never)
  const ids = server.messages.map((message) => /^Message-ID: (.*)$/im.exec(message)?.[1]?.trim())
  assert.deepEqual(ids, ['<msg_1@example.org>', '<msg_1@example.org>'])
})

test('a message is given up as soon as its time is over, whatever the mail server is saying', async () => {
  const time = new AbortController()
  const answers = (line: string) => {
    if (!line.startsWith('EHLO')) return null
    setImmediate(() => time.abort())
    return '250-still talking'
  }
  const { result, messages } = await send({ answers }, time.signal)
  assert.deepEqual([result.kind, messages.length], ['aborted', 0])
})

test('a message is given up at any moment, also before there is a connection', async () => {
  for (const host of ['127.0.0.1', 'localhost']) {
    for (let turns = 0; turns < 12; turns++) {
      await using server = await startMailServer({ answers: (line) => (line.startsWith('MAIL') ? '' : null) })
      const mail = { url: server.url.replace('127.0.0.1', host), from: 'tidings@example.org' }
      const time = new AbortController()
      const sent = sendMail(mail, 'ann@example.org', LETTER, time.signal)
      for (let turn = 0; turn < turns; turn++) await new Promise((next) => setImmediate(next))
      time.abort()
      assert.deepEqual(await sent, { kind: 'aborted' }, `${host}, ${turns} turns`)
    }
  }
})

test('a server that waits for TLS from the start names the setting to correct, and one that falls silent is told', async () => {
  const certificate = selfSigned({ names: ['127.0.0.1'] })
  const saidBy = async (options: MailServerOptions): Promise<string> => {
    await using server = await startMailServer(options)
    const mail = { url: server.url.replace('smtps:', 'smtp:'), from: 'tidings@example.org' }
    return errorOf({ result: await sendMail(mail, 'ann@example.org', LETTER, never, 1000), messages: [] })
  }
  assert.match(await saidBy({ certificate, isSecure: true }), /use smtps:\/\/ in app\.mail\.url/)
  const answers = (line: string) => (line.startsWith('MAIL') ? '250-one moment' : null)
  assert.equal(await saidBy({ answers }), 'The mail server stopped answering')
})

test('with requireTLS neither login nor message goes to a server that does not encrypt', async () => {
  const lines: string[] = []
  const answers = (line: string) => {
    lines.push(line)
    return line === 'STARTTLS' ? '502 what' : null
  }
  const required = (url: URL) =>
    Object.assign(url, { username: login.user, password: login.password, search: 'requireTLS=true' })
  const said = errorOf(await send({ login, answers }, never, required))
  assert.match(said, /STARTTLS/)
  assert.ok(!lines.some((line) => /^(AUTH|MAIL)/.test(line)), lines.join())
})

test('TLS from the start to a server without it names the setting to correct', async () => {
  const said = errorOf(
    await send({}, never, (url) => Object.assign(url, { href: url.href.replace('smtp:', 'smtps:') })),
  )
  assert.match(said, /use smtp:\/\/ in app\.mail\.url/)
  assert.doesNotMatch(said, /openssl/i)
})
