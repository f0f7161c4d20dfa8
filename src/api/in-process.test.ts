import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { InjectedRequest, OpenedApp } from '../cli/command-context.ts'
import { configFrom } from '../config.ts'
import { silentLog } from '../log.ts'
import { openApp } from '../open-app.ts'

const SOURCES = '/api/users/default/podcasts/default/sources'
const folder = mkdtempSync(join(tmpdir(), 'tidings-in-process-'))
let [server, commands]: OpenedApp[] = []

before(async () => {
  const config = configFrom({ database: { url: `file:${join(folder, 'tidings.db')}` }, server: { auth: 'required' } })
  const request = { config, log: silentLog, runToken: 'run', sharesFile: true }
  server = await openApp(request)
  commands = await openApp({ ...request, isForCommand: true })
})

after(async () => {
  await Promise.all([server?.close(0), commands?.close(0)])
  rmSync(folder, { recursive: true })
})

async function ask(app: OpenedApp | undefined, { headers = {}, ...request }: Partial<InjectedRequest>) {
  const asked = { method: 'GET' as const, url: '/', ...request }
  const own = { host: 'localhost', authorization: 'Bearer run', ...headers }
  const reply = await app?.inject({ ...asked, headers: own })
  const payload = reply?.payload.replace(/"(now|from)":"[^"]*"/g, '') ?? ''
  return { status: reply?.statusCode, type: String(reply?.headers['content-type']).split(';', 1)[0], payload }
}

const json = { 'content-type': 'application/json' }

const REQUESTS: Readonly<Record<string, Partial<InjectedRequest>>> = {
  'a list': { url: SOURCES },
  'a list with a query': { url: `${SOURCES}?q=a%20b+c&sort=-title&limit=3` },
  'a parameter given twice': { url: `${SOURCES}?q=a&q=b` },
  'an unknown parameter': { url: `${SOURCES}?nothing=1` },
  'a cursor that is none': { url: `${SOURCES}?cursor=x` },
  'an unknown id': { url: `${SOURCES}/nothing` },
  'a part that is written out beside a parameter': { url: `${SOURCES}.opml` },
  'an id with a slash in it': { url: `${SOURCES}/a%2Fb` },
  'an id with a control character': { url: `${SOURCES}/a%00b` },
  'an id that is far too long': { url: `${SOURCES}/${'x'.repeat(301)}` },
  'a path that cannot be decoded': { url: `${SOURCES}/%zz` },
  'a path that does not exist': { url: '/api/nothing/at/all' },
  'an empty part of a path': { url: '/api/users//podcasts' },
  'a slash at the end': { url: `${SOURCES}/` },
  'no token': { url: SOURCES, headers: { authorization: '' } },
  'a wrong token': { url: SOURCES, headers: { authorization: 'Bearer wrong' } },
  'a body that is wrong': { method: 'POST', url: SOURCES, headers: json, payload: '{"url": 5, "lable": "x"}' },
  'no body': { method: 'POST', url: SOURCES, headers: json },
  'a body that is too large': { method: 'POST', url: SOURCES, headers: json, payload: `"${'x'.repeat(1_100_000)}"` },
  'a list of sources that is empty': {
    ...{ method: 'POST', url: `${SOURCES}/import`, payload: '' },
    headers: { 'content-type': 'text/plain' },
  },
  status: { url: '/api/status' },
  hosts: { url: '/api/hosts?limit=2' },
  'a feed': { url: '/api/users/default/podcasts/default/feed.json' },
  configuration: { url: '/api/config' },
  health: { url: '/healthz' },
}

for (const [name, request] of Object.entries(REQUESTS)) {
  test(`commands get the server's answer to ${name}`, async () => {
    assert.deepEqual(await ask(commands, request), await ask(server, request))
  })
}

test('what a command adds, the server has', async () => {
  const payload = JSON.stringify({ url: 'https://a.example/feed', type: 'rss', validate: false })
  const added = await ask(commands, { method: 'POST', url: SOURCES, headers: json, payload })
  assert.equal(added.status, 201)
  const { id } = JSON.parse(added.payload)
  assert.deepEqual(await ask(commands, { url: `${SOURCES}/${id}` }), await ask(server, { url: `${SOURCES}/${id}` }))
  assert.equal((await ask(commands, { method: 'DELETE', url: `${SOURCES}/${id}` })).status, 204)
  assert.equal((await ask(server, { url: `${SOURCES}/${id}` })).status, 404)
})
