// The API on a real socket, over a real store in memory and real secrets. The engine is a stand-in that does what
// the test tells it: polling has its own stories.
import { request } from 'node:http'
import { EventHub } from '../../src/announce/event-hub.ts'
import { createApi } from '../../src/api/server.ts'
import { IDLE } from '../../src/app/lazy-engine.ts'
import { createCatalogue } from '../../src/catalogue/catalogue.ts'
import { configFrom } from '../../src/config.ts'
import { BUILT_IN_TYPES } from '../../src/domain/built-in-types.ts'
import { silentLog } from '../../src/log.ts'
import { closeBreaker } from '../../src/polling/hosts/close-breaker.ts'
import type { PartialConfig } from '../../src/ports/config.ts'
import type { Engine, TestFetch } from '../../src/ports/engine.ts'
import type { Log } from '../../src/ports/log.ts'
import type { Store } from '../../src/ports/store.ts'
import { createSecrets } from '../../src/secrets/secrets.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { createDocuments } from '../../src/workers/documents.ts'
import { listReader } from './list-reader.ts'
import { ManualClock } from './manual-clock.ts'

export interface Asked {
  readonly token?: string | undefined
  readonly headers?: Record<string, string>
  readonly body?: unknown
  /** Sent as it is, instead of `body`. */
  readonly raw?: string | Buffer
}

export interface Told {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came back
  readonly body: any
}

export type StandIn = {
  tested: TestFetch[]
  testFetch: Engine['testFetch']
  queuePoll: Engine['queuePoll']
}

export function standInEngine(): StandIn & Pick<Engine, 'why' | 'status' | 'requestFullText'> {
  const tested: TestFetch[] = []
  return {
    tested,
    async testFetch(wanted) {
      tested.push(wanted)
      const { type, url } = wanted
      return { type: type ?? 'rss', url, feedUrl: null, title: 'Tested', posts: [], dropped: [], feeds: [], notes: [] }
    },
    requestFullText: async () => {},
    async queuePoll() {
      throw new Error('this test polls nothing')
    },
    why: async () => ({ due: false, nextPollAt: null, expectedAt: null, code: 'new', sentence: 'Not polled yet.' }),
    status: () => IDLE,
  }
}

export async function startApi(
  options: { config?: PartialConfig; runToken?: string; log?: Log; store?: (store: Store) => Store } = {},
) {
  const clock = new ManualClock()
  const given = options.config ?? {}
  const config = configFrom({ ...given, server: { port: 0, ...given.server } })
  const opened = await openStore('file::memory:', { now: clock.now() })
  const store = options.store?.(opened) ?? opened
  const secrets = createSecrets({ masterKey: null, engine: 'sqlite', dataDir: null })
  const resetBreaker = (lane: string) =>
    closeBreaker({ store, clock, log: silentLog, rules: config.source }, lane, 'reset by hand')
  const engine = { ...standInEngine(), resetBreaker }
  const events = new EventHub(store)
  const documents = { ...createDocuments({ size: 1 }), ...listReader }
  const made = { store, engine: () => engine, secrets, config, clock, documents, types: BUILT_IN_TYPES }
  const catalogue = createCatalogue(made)
  const { runToken } = options
  const log: Log | false = options.log ?? false
  const parts = { config, catalogue, engine, store, clock, log, events, version: '0.0.0-test' }
  const api = await createApi({ ...parts, ...(runToken ? { runToken } : {}) })
  const { url } = await api.listen()
  const ask = (method: string, path: string, asked?: Asked) => askAt(url, method, path, asked)
  const close = async () => {
    await api.close()
    events.close()
    await documents.close()
    await opened.close()
  }
  return { ...parts, api, url, secrets, ask, close, [Symbol.asyncDispose]: close }
}

export type TestApi = Awaited<ReturnType<typeof startApi>>

export function askAt(url: string, method: string, path: string, asked: Asked = {}): Promise<Told> {
  const { token, body, raw = body === undefined ? undefined : JSON.stringify(body) } = asked
  const headers = {
    ...(raw === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(raw)) }),
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...asked.headers,
  }
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = text !== '' && /json/.test(response.headers['content-type'] ?? '')
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          body: isJson ? JSON.parse(text) : text,
        })
      })
    })
    sent.on('error', reject)
    sent.end(raw)
  })
}
