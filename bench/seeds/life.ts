// One life of the process: its engine and catalogue on a store that outlives it.
import { createEngine } from '../../src/app/engine.ts'
import { type Catalogue, createCatalogue } from '../../src/catalogue/catalogue.ts'
import { BUILT_IN_TYPES } from '../../src/domain/built-in-types.ts'
import type { PollingEngine } from '../../src/polling/engine.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Config } from '../../src/ports/config.ts'
import type { Documents } from '../../src/ports/documents.ts'
import type { Log } from '../../src/ports/log.ts'
import type { Store } from '../../src/ports/store.ts'
import { secretsUnder } from '../../src/secrets/secrets.ts'
import type { Database } from '../../src/storage/database/db.ts'
import { createStore } from '../../src/storage/store.ts'
import { type Chance, streamOf, wholeBetween } from '../seeded.ts'
import { diskFull, LifeDb, readFailed } from './life-db.ts'
import type { SimulatedNetwork } from './network.ts'
import type { SeedPlan } from './plan.ts'
import type { VirtualTime } from './virtual-time.ts'

/** How often a single statement fails. */
const READ_FAILS = 0.0005
const WRITE_FAILS = 0.0005

const secrets = secretsUnder(Buffer.alloc(32, 7))

export interface LifeParts {
  readonly plan: SeedPlan
  readonly time: VirtualTime
  readonly db: Database
  readonly schemaVersion: number
  readonly network: SimulatedNetwork
  readonly documents: Documents
  readonly config: Config
  readonly log: Log
  /** Counts up with each life. */
  readonly number: number
  /** While it says so, nothing goes wrong any more. */
  readonly isCalm: () => boolean
  readonly isDiskFull: () => boolean
  /** So much happens without waiting that time stands still. The life ends. */
  readonly onSpin: () => void
  readonly onDeath: () => void
  readonly onStoreError: () => void
  /** Before each statement of a transaction. */
  readonly onWrite: () => void
  readonly newId: () => string
}

export class EngineLife {
  readonly #parts: LifeParts
  readonly #chance: Chance
  #isAlive = true
  #statementsLeft: number
  readonly clock: Clock
  readonly engine: PollingEngine
  readonly catalogue: Catalogue
  readonly store: Store

  constructor(parts: LifeParts) {
    this.#parts = parts
    const { plan, time, db, network, documents, config, log } = parts
    this.#chance = streamOf(plan.seed, `life ${parts.number}`)
    this.#statementsLeft = wholeBetween(this.#chance, 30, 4000)
    const isAlive = (): boolean => this.#isAlive
    const chanceOfProbes = streamOf(plan.seed, `probes ${parts.number}`)
    const life = {
      isAlive,
      beforeStatement: (kind: 'read' | 'write') => this.#beforeStatement(kind),
      onProbe: () => this.#tempt(chanceOfProbes, 0.5),
    }
    const clock = time.clockOf(isAlive)
    this.clock = clock
    this.store = createStore(new LifeDb(db, life), parts.schemaVersion, BUILT_IN_TYPES)
    const common = { config, types: BUILT_IN_TYPES, clock, store: this.store, secrets, documents }
    const random = streamOf(plan.seed, `jitter ${parts.number}`)
    const fetcher = network.fetcherOf(isAlive)
    this.engine = createEngine({ ...common, random, log, fetcher, addedTypes: [], sharesFile: false })
    this.catalogue = createCatalogue({ ...common, engine: () => this.engine, newId: parts.newId })
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  /** An answer arrived: now is a good moment to die, between fetch and commit. */
  tempt(): void {
    this.#tempt(this.#chance, 0.01)
  }

  #tempt(chance: Chance, howOften: number): void {
    if (chance() < howOften) this.#statementsLeft = Math.min(this.#statementsLeft, wholeBetween(chance, 0, 14))
  }

  die(): void {
    if (!this.#isAlive) return
    this.#isAlive = false
    this.#parts.onDeath()
  }

  #beforeStatement(kind: 'read' | 'write'): Error | null {
    const { plan, time, isCalm, isDiskFull, onStoreError, onWrite, onSpin } = this.#parts
    time.activity++
    if (time.isStandingStill) {
      onSpin()
      this.die()
    }
    if (kind === 'write') onWrite()
    if (isCalm()) return null
    if (plan.faults.includes('crash') && --this.#statementsLeft < 0) this.die()
    if (!plan.faults.includes('store')) return null
    // A disk that is full can still be read from.
    const fails = kind === 'read' ? this.#chance() < READ_FAILS : isDiskFull() || this.#chance() < WRITE_FAILS
    if (!fails) return null
    onStoreError()
    return kind === 'read' ? readFailed() : diskFull()
  }
}
