// Many clients that listen to live events of a real `serve` with a small heap. Some of them ask for everything from the
// beginning and then read nothing: they may cost neither the process nor the others anything, and when they come back
// they get what they missed, each event once.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '../../src/storage/open-store.ts'
import { eventOf, writeEvents } from '../../test/support/events.ts'
import { startOrigin } from '../../test/support/origin.ts'
import { startServe } from '../../test/support/serve-process.ts'
import { addSources } from './feeds.ts'
import { Listener } from './listener.ts'
import { memoryMbOf } from './process-figures.ts'

export interface ListenersSize {
  /** Clients that read at once. */
  readonly clients: number
  /** Clients that read nothing until the others have heard enough. */
  readonly slow: number
  /** Events that are there before anybody listens. */
  readonly backlog: number
  /** Events that each client hears while the slow ones are stuck. */
  readonly events: number
  readonly heapMb: number
  /** Read nothing for this long: beyond two minutes the server ends such a connection. */
  readonly stuckSeconds: number
  readonly onNote?: (note: string) => void
}

export interface ListenersReport {
  readonly memoryMb: number
  readonly heard: number
  /** Slow clients whose connection the server had ended. */
  readonly ended: number
  readonly broken: readonly string[]
}

const SOURCES = 40

export async function listen(size: ListenersSize): Promise<ListenersReport> {
  const data = await mkdtemp(join(tmpdir(), 'tidings-listeners-'))
  await writeBacklog(`file:${join(data, 'tidings.db')}`, size.backlog)
  const origins = await Promise.all(Array.from({ length: 10 }, (_, n) => startOrigin({ host: `127.0.3.${n + 1}` })))
  const serve = await startServe(data, [], {
    ...{ APP_SOURCE_TICK_SECONDS: '1', APP_LIMITS_CONNECTIONS: '8000', APP_LOG_LEVEL: 'error' },
    NODE_OPTIONS: `--max-old-space-size=${size.heapMb}`,
  })
  const clients: Listener[] = []
  try {
    await addSources(serve.url, origins, SOURCES)
    return await hear(size, serve.url, () => memoryMbOf(serve.process.pid ?? 0), clients)
  } finally {
    for (const client of clients) client.close()
    serve.process.kill('SIGTERM')
    await serve.ended
    await Promise.all(origins.map((origin) => origin.close()))
    await rm(data, { recursive: true, force: true })
  }
}

/** Of a kilobyte each, so that the buffers between server and client are soon full. */
async function writeBacklog(url: string, count: number): Promise<void> {
  const store = await openStore(url)
  const data = { url: 'https://a.example/', reason: 'x'.repeat(900) }
  for (let written = 0; written < count; written += 500) {
    const some = Math.min(500, count - written)
    await writeEvents(
      store,
      Array.from({ length: some }, () => eventOf('source.disabled', { at: Date.now(), data })),
    )
  }
  await store.close()
}

async function hear(
  size: ListenersSize,
  url: string,
  memoryMb: () => Promise<number>,
  clients: Listener[],
): Promise<ListenersReport> {
  const note = size.onNote ?? (() => {})
  const slow = await open(url, size.slow, { after: '0', reads: false }, clients)
  const quick = await open(url, size.clients, { after: null, reads: true }, clients)
  note(`${clients.length} clients are connected, ${slow.length} of them read nothing: ${await inMb(memoryMb)}`)
  const startedAt = performance.now()
  let most = 0
  const isOver = (): boolean =>
    performance.now() - startedAt >= size.stuckSeconds * 1000 &&
    quick.every(({ heard, error }) => heard >= size.events || error !== null)
  for (let looks = 0; !isOver() && (await memoryMb()) > 0; looks++) {
    most = Math.max(most, await memoryMb())
    if (looks % 40 === 0)
      note(`each has heard ${Math.min(...quick.map(({ heard }) => heard))} events: ${await inMb(memoryMb)}`)
    await sleep(250)
  }
  const newest = Math.max(...quick.map(({ lastId }) => lastId))
  const ended = await comeBack(slow, newest)
  note(`the slow ones came back and have heard everything up to ${newest}: ${await inMb(memoryMb)}`)
  const broken = [...quick, ...slow].flatMap(({ broken: own, error }) => [...own, ...(error ? [error] : [])])
  if ((await memoryMb()) === 0) broken.unshift('the process ended')
  const notThere = slow.filter(({ lastId }) => lastId < newest).length
  if (notThere > 0) broken.push(`${notThere} slow clients did not get to ${newest}`)
  const heard = Math.min(...quick.map((one) => one.heard))
  return { memoryMb: Math.max(most, await memoryMb()), heard, ended, broken }
}

async function open(
  url: string,
  count: number,
  how: { readonly after: string | null; readonly reads: boolean },
  clients: Listener[],
): Promise<Listener[]> {
  const opened: Listener[] = []
  while (opened.length < count) {
    const some = Array.from({ length: Math.min(50, count - opened.length) }, () => new Listener(url, how))
    opened.push(...some)
    clients.push(...some)
    await Promise.all(some.map((client) => client.connect()))
  }
  return opened
}

/**
 * They read what is left in the connection. If the server has ended it, they connect again, after the last event they
 * got. On the way they hang up once themselves.
 */
async function comeBack(slow: readonly Listener[], newest: number): Promise<number> {
  let ended = 0
  await Promise.all(
    slow.map(async (client) => {
      if (await client.readOn(Math.floor(newest / 2))) ended++
      client.hangUp()
      await client.readOn(newest)
    }),
  )
  return ended
}

async function inMb(memoryMb: () => Promise<number>): Promise<string> {
  return `${(await memoryMb()).toFixed(0)} MB`
}
