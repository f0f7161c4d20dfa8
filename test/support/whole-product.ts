// The whole product as `serve` has it, with its real API on a socket, for stories about people: a SQLite file, tokens
// needed, time under the test's control, and the log as it would have been written.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApi } from '../../src/api/server.ts'
import { createApp } from '../../src/app.ts'
import { configFrom } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import type { PartialConfig } from '../../src/ports/config.ts'
import { type Asked, askAt, type Told } from './api.ts'
import { ManualClock } from './manual-clock.ts'
import { drained } from './world.ts'

export interface Person {
  readonly id: string
  readonly token: string
  readonly tokenId: string
  readonly podcastId: string
  /** Path of the own sources. */
  readonly sources: string
}

export type LogLine = Readonly<Record<string, unknown>> & { readonly msg: string; readonly level: string }

export type WholeProduct = Awaited<ReturnType<typeof startWholeProduct>>

export async function startWholeProduct(options: { config?: PartialConfig; dir?: string; clock?: ManualClock } = {}) {
  const clock = options.clock ?? new ManualClock()
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'tidings-whole-')))
  const given = options.config ?? {}
  const config = configFrom({
    ...given,
    database: given.database ?? { url: `file:${join(dir, 'tidings.db')}` },
    server: { port: 0, auth: 'required', ...given.server },
  })
  const logged: string[] = []
  const log = createLog({ level: 'debug', format: 'json', target: { write: (text) => logged.push(text) } })
  const app = await createApp({ config, clock, log, random: () => 0 })
  const { catalogue, engine, store, events, metrics, webhookSender } = app
  const parts = { config, catalogue, engine, store, clock, log, events, metrics, webhookSender }
  const api = await createApi({ ...parts, version: '0.0.0-test' })
  const { url } = await api.listen()
  app.ownAddresses.push({ address: '127.0.0.1', port: Number(new URL(url).port) })
  const answers: Told[] = []
  const ask = async (method: string, path: string, asked?: Asked): Promise<Told> => {
    const told = await askAt(url, method, path, asked)
    answers.push(told)
    return told
  }
  const stop = async () => {
    await api.close()
    await app.close()
  }

  return {
    ...{ app, api, clock, config, dir, store, catalogue, url, ask, stop },
    /** Every answer so far, and every line of the log as written. */
    answers,
    logged,
    lines: (): LogLine[] => logged.map((line) => JSON.parse(line)),
    audits: (): LogLine[] => logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith('[Audit]')),
    admin: async (): Promise<string> =>
      (await catalogue.tokens.create('default', { name: 'admin', admin: true })).token,
    async person(name: string): Promise<Person> {
      const { id } = await catalogue.users.create({ name })
      const { token, id: tokenId } = await catalogue.tokens.create(id, { name: 'mine' })
      const { id: podcastId } = await catalogue.podcasts.create(id, { name: `${name}'s` })
      return { id, token, tokenId, podcastId, sources: `/api/users/${id}/podcasts/${podcastId}/sources` }
    },
    /** Moves the clock, then one tick and everything it set in motion. */
    async pass(ms: number): Promise<void> {
      await clock.advance(ms)
      await engine.tick()
      await drained(engine, clock)
    },
    [Symbol.asyncDispose]: async () => {
      await stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
