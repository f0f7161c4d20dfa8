// The product for a process that serves, polls, or proves a backup.
import { createApi } from '../api/server.ts'
import { type App, createApp } from '../app.ts'
import type { OpenedApp, OpenRequest } from '../cli/command-context.ts'
import { VERSION } from '../version.ts'
import { addressesOf, portOf } from './own-addresses.ts'
import { rotateMasterKeyOf } from './rotate-master-key.ts'
import { orCannotStart } from './start-failure.ts'

export async function openForOthers(request: OpenRequest): Promise<OpenedApp> {
  const { config, log, sharesFile = false } = request
  const app = await orCannotStart(request, () => createApp({ config, log, sharesFile }))
  // Polls must never request this instance's own address, even if another process serves there.
  app.ownAddresses.push(...(await addressesOf(config.server).catch(() => [])))
  try {
    return await withApi(app, request)
  } catch (error) {
    await app.close()
    throw error
  }
}

async function withApi(app: App, request: OpenRequest): Promise<OpenedApp> {
  const { config, log, runToken, configOrigins, probesOnly = false } = request
  const { catalogue, engine, store, clock, events, metrics, webhookSender } = app
  const parts = { config, catalogue, engine, clock, events, metrics, webhookSender, log, version: VERSION }
  const options = {
    ...parts,
    store: store.forRequests(),
    runToken,
    probesOnly,
    ...(configOrigins && { configOrigins }),
  }
  const api = await orCannotStart(request, () => createApi(options))
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
    rotateMasterKey: (readNewKey) => rotateMasterKeyOf({ config, store, log }, readNewKey),
    async close(deadlineMs) {
      await Promise.all([api.close(deadlineMs), engine.stop(deadlineMs)])
      await app.close()
    },
  }
}
