// The product behind the commands: app and API in this process, opened and closed together.
import { lookup } from 'node:dns/promises'
import { dirname } from 'node:path'
import { createApi } from './api/server.ts'
import { type App, createApp } from './app.ts'
import type { OpenedApp, OpenRequest } from './cli/command-context.ts'
import { DAMAGED_REMEDY, isDamaged } from './cli/connection/damaged-store.ts'
import { postgresRemedy } from './cli/connection/postgres-remedy.ts'
import { CliFailure } from './cli/failure.ts'
import { databaseOf } from './config.ts'
import { redactText } from './log.ts'
import type { Config } from './ports/config.ts'
import { rotateMasterKey } from './secrets/rotate-master-key.ts'
import { VERSION } from './version.ts'

export async function openApp(request: OpenRequest): Promise<OpenedApp> {
  const { config, log, runToken, sharesFile = false } = request
  const app = await started(request, () => createApp({ config, log, sharesFile }))
  // Polls must never request this instance's own address, even if another process serves there.
  app.listening.push(...(await addressesOf(config.server).catch(() => [])))
  const { catalogue, engine, store, clock, events, metrics, webhookSender } = app
  const parts = { config, catalogue, engine, store, clock, events, metrics, webhookSender, log, version: VERSION }
  try {
    const api = await started(request, () => createApi({ ...parts, runToken }))
    return {
      store,
      unreadable: app.unreadable,
      inject: (injected) => api.inject(injected),
      async listen() {
        // Metrics are counted only in a process that serves them.
        metrics.start()
        const { url } = await api.listen()
        app.listening.push(...(await addressesOf({ ...config.server, port: portOf(url) })))
        return { url }
      },
      start: () => app.start(),
      startPolling: () => engine.start(),
      async rotateMasterKey(readNewKey) {
        const rotated = await rotateMasterKey(store, secretsOptions(app), readNewKey)
        if (rotated !== 'no-key') {
          const facts = { resealed: rotated.resealed, unreadable: rotated.unreadable.length }
          log.info(facts, '[Audit] master key rotated')
        }
        return rotated
      },
      async close(deadlineMs) {
        await Promise.all([api.close(deadlineMs), engine.stop(deadlineMs)])
        await app.close()
      },
    }
  } catch (error) {
    await app.close()
    throw error
  }
}

/** A failed start is reported in one sentence. The stack is logged at debug. */
async function started<T>({ config, log }: OpenRequest, start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    log.debug({ err: error }, 'could not start')
    const { message, code, errors } = error as Error & { code?: string; errors?: readonly Error[] }
    const reason = message || errors?.[0]?.message || code || String(error)
    throw new CliFailure(`Cannot start: ${reason}${remedyFor(error, config.database.url)}`, 1, { cause: error })
  }
}

function remedyFor(error: unknown, url: string): string {
  if (isDamaged(error)) return `. ${url} is damaged, or not a store of Tidings. ${DAMAGED_REMEDY}`
  const remedy = databaseOf(url)?.engine === 'postgres' ? postgresRemedy(error) : null
  return remedy === null ? '' : ` (${redactText(url)}). ${remedy}`
}

async function addressesOf({ host, port }: Config['server']): Promise<{ address: string; port: number }[]> {
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => ({ address, port }))
}

function portOf(url: string): number {
  const { port, protocol } = new URL(url)
  return Number(port) || (protocol === 'https:' ? 443 : 80)
}

function secretsOptions({ config, store }: App) {
  const database = databaseOf(config.database.url)
  const inFile = database?.engine === 'sqlite' && database.path !== ':memory:'
  const dataDir = inFile ? dirname(database.path) : null
  return { masterKey: config.encryption.masterKey, engine: store.engine, dataDir }
}
