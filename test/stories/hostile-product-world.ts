// The product as people run it (`serve` in a process of its own), and one hostile host for each route: a lane each, so
// that none waits for another. Meanwhile an ordinary feed is polled and /healthz is asked, and both are timed.
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { PollView } from '../../src/catalogue/shapes/answers.ts'
import { askAt } from '../support/api.ts'
import { type Handler, type Origin, startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'
import { startServe } from '../support/serve-process.ts'

const SOURCES = '/api/users/default/podcasts/default/sources'

export interface Meanwhile {
  readonly slowestHealthMs: number
  readonly healthAnswers: number
  readonly slowestPollMs: number
  /** Of the polls of an ordinary feed that changes every time. */
  readonly outcomes: readonly string[]
}

export interface HostileWorld extends AsyncDisposable {
  readonly url: string
  /** Adds a source: its id. */
  add(url: string, type: 'rss' | 'website'): Promise<string>
  /** Polls it: its record. */
  poll(id: string): Promise<PollView>
  /** One more host of its own. */
  host(route: string, handler: Handler): Promise<Origin>
  /** Peak and present memory of the product's process, where the system tells. */
  memory(): { readonly peakMb: number; readonly nowMb: number } | null
  /** How it went for everybody else while `work` went on. */
  meanwhile(work: () => Promise<void>): Promise<Meanwhile>
}

export async function startHostileWorld(env: Readonly<Record<string, string>>): Promise<HostileWorld> {
  const data = await mkdtemp(join(tmpdir(), 'tidings-hostile-'))
  const serve = await startServe(data, [], env)
  const origins: Origin[] = []
  const host = async (route: string, handler: Handler) => {
    const origin = await startOrigin({ host: `127.0.4.${origins.length + 1}` })
    origins.push(origin)
    origin.route(`/${route}`, handler)
    return origin
  }
  const add = async (url: string, type: string): Promise<string> => {
    const told = await askAt(serve.url, 'POST', SOURCES, { body: { url, type, validate: false } })
    if (told.status !== 201) throw new Error(`not added: ${told.text}`)
    return told.body.id
  }
  const pollNow = async (id: string): Promise<PollView> => {
    const told = await askAt(serve.url, 'POST', `${SOURCES}/${id}/poll?wait=true&timeout=300`)
    if (told.status !== 200) throw new Error(`not polled: ${told.status} ${told.text}`)
    return told.body
  }
  let edition = 0
  const ordinary = await host('feed', (_request, response) => response.end(rss([{ title: `Number ${edition++}` }])))
  const ordinaryId = await add(`${ordinary.url}/feed`, 'rss')
  return {
    url: serve.url,
    host,
    add,
    poll: pollNow,
    memory: () => memoryOf(serve.process.pid),
    async meanwhile(work) {
      const outcomes: string[] = []
      let healthAnswers = 0
      let going = true
      const working = work().finally(() => {
        going = false
      })
      const slowest = async (ask: () => Promise<unknown>): Promise<number> => {
        // This process plays all those hosts: what it delays itself is not the product's doing.
        const own = monitorEventLoopDelay({ resolution: 10 })
        own.enable()
        let slowestMs = 0
        while (going) {
          own.reset()
          const started = performance.now()
          await ask()
          const ownMs = own.count > 0 ? own.max / 1e6 : 0
          slowestMs = Math.max(slowestMs, performance.now() - started - ownMs)
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
        own.disable()
        return slowestMs
      }
      const [, slowestPollMs, slowestHealthMs] = await Promise.all([
        working,
        slowest(async () => outcomes.push((await pollNow(ordinaryId)).outcome)),
        slowest(async () => {
          if ((await askAt(serve.url, 'GET', '/healthz')).status === 200) healthAnswers++
        }),
      ])
      return { slowestHealthMs, healthAnswers, slowestPollMs, outcomes }
    },
    async [Symbol.asyncDispose]() {
      await serve[Symbol.asyncDispose]()
      await Promise.all(origins.map((origin) => origin.close()))
      await rm(data, { recursive: true, force: true })
    },
  }
}

function memoryOf(pid: number | undefined): { peakMb: number; nowMb: number } | null {
  if (process.platform !== 'linux') return null
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mb = (name: string) => Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024)
  return { peakMb: mb('VmHWM'), nowMb: mb('VmRSS') }
}
