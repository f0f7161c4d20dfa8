// What the routes of the API are built from.
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Origins } from '../config.ts'
import type { EventType, StoredEvent } from '../domain/event.ts'
import type { SendRequest } from '../mcp/rest.ts'
import type { Clock } from '../ports/clock.ts'
import type { Config } from '../ports/config.ts'
import type { Engine } from '../ports/engine.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'
import type { FindForCaller } from './auth/find-for-caller.ts'
import type { RateLimits } from './auth/rate-limits.ts'
import type { Call } from './route.ts'

export interface ApiParts {
  readonly config: Config
  /** Where each value of the configuration comes from. Without it everything counts as a default. */
  readonly configOrigins?: Origins
  readonly catalogue: Catalogue
  readonly engine: Pick<Engine, 'queuePoll' | 'why' | 'resetBreaker' | 'testFetch' | 'status' | 'requestFullText'>
  readonly store: Store
  readonly log: Log | false
  readonly clock: Clock
  readonly version: string
  /** Without it there are no live events. */
  readonly events?: EventSource
  /** Told when webhook messages may be due now. Without it nobody sends any. */
  readonly webhookSender?: { lookNow(): void }
  /** Without it there is no /metrics. */
  readonly metrics?: MetricsSource
  readonly find: FindForCaller
  /** Sends a request into this API with the rights of a call. */
  sendAs(call: Pick<Call, 'headers' | 'address' | 'signal'>): SendRequest
  readonly rateLimits: RateLimits
}

export interface EventSource {
  subscribe(subscription: {
    readonly types?: readonly EventType[] | undefined
    readonly userId?: string | null | undefined
    readonly after?: string | undefined
    readonly onGap?: ((from: string, to: string) => void) | undefined
    readonly signal?: AbortSignal | undefined
  }): AsyncIterator<StoredEvent>
}

export interface MetricsSource {
  readonly contentType: string
  text(): Promise<string>
}
