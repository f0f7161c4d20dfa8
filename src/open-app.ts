// The product behind the commands: app and API in this process, opened and closed together.
import { createInProcessApi, type InProcessOptions } from './api/in-process.ts'
import type { ApiOptions } from './api/server.ts'
import { secretsOptions } from './app/stored-secrets.ts'
import { type App, createApp } from './app.ts'
import type { OpenedApp, OpenRequest } from './cli/command-context.ts'
import { addressesOf, portOf } from './open-app/own-addresses.ts'
import { orCannotStart } from './open-app/start-failure.ts'
import { rotateMasterKey } from './secrets/rotate-master-key.ts'
import { VERSION } from './version.ts'

export async function openApp(request: OpenRequest): Promise<OpenedApp> {
  const { config, log, sharesFile = false, isForCommand = false } = request
  const app = await orCannotStart(request, () => createApp({ config, log, sharesFile, isEngineLazy: isForCommand }))
  // Polls must never request this instance's own address, even if another process serves there.
  app.ownAddresses.push(...(await addressesOf(config.server).catch(() => [])))
  try {
    return await withApi(app, request)
  } catch (error) {
    await app.close()
    throw error
  }
}

type OwnApi = Pick<OpenedApp, 'inject' | 'listen' | 'close'>

/** Loaded only by processes that listen. */
async function forOthers(options: ApiOptions): Promise<OwnApi> {
  const { createApi } = await import('./api/server.ts')
  const api = await createApi(options)
  return { ...api, inject: (injected) => api.inject(injected) }
}

function forCommands(options: InProcessOptions): OwnApi {
  const api = createInProcessApi(options)
  const listen = () => Promise.reject(new Error('a command does not listen'))
  return { inject: api.inject, listen, close: async () => api.close() }
}

async function withApi(app: App, request: OpenRequest): Promise<OpenedApp> {
  const { config, log, runToken, configOrigins, probesOnly = false, isForCommand = false } = request
  const { catalogue, engine, store, clock, events, metrics, webhookSender } = app
  const parts = {
    config,
    catalogue,
    engine,
    store: store.forRequests(),
    clock,
    events,
    metrics,
    webhookSender,
    log,
    version: VERSION,
  }
  const own = { ...parts, runToken, ...(configOrigins && { configOrigins }) }
  const api = isForCommand ? forCommands(own) : await orCannotStart(request, () => forOthers({ ...own, probesOnly }))
  return {
    store,
    unreadable: app.unreadable,
    inject: (injected) => api.inject(injected),
    async listen() {
      // Metrics are counted only in a process that serves them.
      metrics.start()
      const { url } = await api.listen()
      app.ownAddresses.push(...(await addressesOf({ ...config.server, port: portOf(url) })))
      return { url }
    },
    start: () => app.start(),
    startPolling: () => app.startPolling(),
    async rotateMasterKey(readNewKey) {
      const rotated = await rotateMasterKey(store, secretsOptions(config, store.engine), readNewKey)
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
}
