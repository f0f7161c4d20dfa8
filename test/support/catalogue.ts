// The catalogue over a real store in memory, with real secrets and a clock that stands still.
import { createCatalogue } from '../../src/catalogue/catalogue.ts'
import { configFrom } from '../../src/config.ts'
import { BUILT_IN_TYPES } from '../../src/domain/built-in-types.ts'
import type { Source } from '../../src/domain/source.ts'
import type { PartialConfig } from '../../src/ports/config.ts'
import type { SourceChange } from '../../src/ports/source-store.ts'
import { createSecrets } from '../../src/secrets/secrets.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { createDocuments } from '../../src/workers/documents.ts'
import { standInEngine } from './api.ts'
import { listReader } from './list-reader.ts'
import { ManualClock } from './manual-clock.ts'

export async function tempCatalogue(partial: PartialConfig = {}) {
  const clock = new ManualClock()
  const store = await openStore('file::memory:', { now: clock.now() })
  const secrets = createSecrets({ masterKey: null, engine: 'sqlite', dataDir: null })
  const engine = standInEngine()
  const config = configFrom(partial)
  const documents = { ...createDocuments({ size: 1 }), ...listReader }
  const made = { store, engine: () => engine, secrets, config, clock, documents, types: BUILT_IN_TYPES }
  const catalogue = createCatalogue(made)
  /** As if polling had left the row like this. */
  const learned = (id: string, set: SourceChange) => store.changeSource(id, () => ({ set, events: [] }))
  const row = async (id: string): Promise<Source> => {
    const source = await store.getSource(id)
    if (!source) throw new Error('no such source')
    return source
  }
  const eventsOf = async (id: string) => (await store.eventsAfter('0', 500)).filter((event) => event.sourceId === id)
  return {
    ...catalogue,
    store,
    secrets,
    engine,
    clock,
    config,
    learned,
    row,
    eventsOf,
    async [Symbol.asyncDispose]() {
      await documents.close()
      await store.close()
    },
  }
}
