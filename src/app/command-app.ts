// The parts of a command in a process of its own. It runs nothing in the background, and loads what it needs when it
// needs it: most commands only show something, and loading everything takes longer than they run.
import type { Catalogue } from '../catalogue/catalogue.ts'
import { createCommandCatalogue } from '../catalogue/command-catalogue.ts'
import type { CatalogueParts } from '../catalogue/parts.ts'
import { loadedLater } from '../loaded-later.ts'
import { silentLog } from '../log.ts'
import type { Documents } from '../ports/documents.ts'
import type { Engine } from '../ports/engine.ts'
import { type AppOptions, engineOptions, type Foundation, layFoundation } from './foundation.ts'
import { lazyEngine } from './lazy-engine.ts'

export interface CommandApp extends Foundation {
  readonly catalogue: Catalogue
  readonly engine: Engine
  close(): Promise<void>
}

export async function createCommandApp(options: AppOptions): Promise<CommandApp> {
  const foundation = await layFoundation(options, true)
  const { config, types, clock, store, secrets, fetcher } = foundation
  const documents = lazyDocuments()
  const engine = lazyEngine(async () => {
    const { createEngine } = await import('./engine.ts')
    return createEngine({ ...foundation, ...engineOptions(options), documents })
  })
  const sendToWebhook: CatalogueParts['sendToWebhook'] = async (webhook, payload) => {
    const { createWebhookSender } = await import('./webhook-sender.ts')
    return createWebhookSender(foundation, options.log ?? silentLog).sendNow(webhook, payload)
  }
  const parts = { config, types, clock, secrets, documents, engine: () => engine, sendToWebhook }
  const catalogue = createCommandCatalogue({ ...parts, store: store.forRequests() })
  return {
    ...foundation,
    ...{ catalogue, engine },
    async close() {
      await engine.stop()
      await Promise.all([fetcher.close(), documents.close()])
      foundation.stopClock()
      await store.close()
    },
  }
}

function lazyDocuments(): Documents {
  let made: Documents | null = null
  const make = async () => {
    made = (await import('../workers/documents.ts')).createDocuments()
    return made
  }
  return loadedLater(make, { close: async () => made?.close() })
}
