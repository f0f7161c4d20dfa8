// The product for one command in a process of its own: nothing listens, and nothing runs in the background.
import { createInProcessApi } from '../api/in-process.ts'
import { createCommandApp } from '../app/command-app.ts'
import type { OpenedApp, OpenRequest } from '../cli/command-context.ts'
import { VERSION } from '../version.ts'
import { addressesOf } from './own-addresses.ts'
import { rotateMasterKeyOf } from './rotate-master-key.ts'
import { orCannotStart } from './start-failure.ts'

export async function openForCommand(request: OpenRequest): Promise<OpenedApp> {
  const { config, log, runToken, configOrigins, sharesFile = false } = request
  const app = await orCannotStart(request, () => createCommandApp({ config, log, sharesFile }))
  // Polls must never request the address that a server of this configuration listens on.
  app.ownAddresses.push(...(await addressesOf(config.server).catch(() => [])))
  const { catalogue, engine, store, clock } = app
  const api = createInProcessApi({
    ...{ config, catalogue, engine, store: store.forRequests(), clock, log, version: VERSION, runToken },
    ...(configOrigins && { configOrigins }),
  })
  const notHere = () => Promise.reject(new Error('a command neither listens nor runs in the background'))
  return {
    store,
    unreadable: app.unreadable,
    inject: api.inject,
    listen: notHere,
    start: notHere,
    startPolling: notHere,
    rotateMasterKey: (readNewKey) => rotateMasterKeyOf({ config, store, log }, readNewKey),
    async close(deadlineMs) {
      api.close()
      await engine.stop(deadlineMs)
      await app.close()
    },
  }
}
