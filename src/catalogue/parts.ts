// What the catalogue is made of.
import type { SourceTypes } from '../domain/source-type.ts'
import type { Webhook } from '../domain/webhook.ts'
import type { Clock } from '../ports/clock.ts'
import type { Config } from '../ports/config.ts'
import type { Documents } from '../ports/documents.ts'
import type { Engine } from '../ports/engine.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Store } from '../ports/store.ts'
import type { DeliveryOutcome } from '../ports/webhook-store.ts'
import type { TypedShapes } from './shapes/typed-shapes.ts'

export interface CatalogueParts {
  readonly store: Store
  /** A function, because engine and catalogue are made in either order. */
  readonly engine: () => Pick<Engine, 'testFetch'> & Partial<Pick<Engine, 'queuePoll'>>
  /** Sends a message to a webhook at once, and says how that ended. Without it webhooks cannot be tested. */
  readonly sendToWebhook?: (webhook: Webhook, payload: string) => Promise<DeliveryOutcome>
  readonly secrets: Secrets
  readonly config: Pick<Config, 'source' | 'limits' | 'mail'>
  readonly clock: Clock
  readonly types: SourceTypes
  readonly documents: Pick<Documents, 'readList' | 'toMarkdown'>
  readonly shapes: TypedShapes
  readonly newId: () => string
}
