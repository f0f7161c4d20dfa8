// Starting, resting and closing the parts of an app, in the order in which they need each other.
import type { EventHub } from '../announce/event-hub.ts'
import type { WebhookSender } from '../announce/webhook-sender.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Documents } from '../ports/documents.ts'
import type { Fetcher } from '../ports/fetcher.ts'
import type { Store } from '../ports/store.ts'
import type { BackgroundIndex } from '../storage/posts/background-index.ts'
import type { AppEngine } from './lazy-engine.ts'
import type { ProcessReports } from './process-reports.ts'

export interface LifeCycle extends AsyncDisposable {
  /** Polls on schedule, indexes posts and sends messages to webhooks. Requests by people work without this. */
  start(): Promise<void>
  /** Polls on schedule and indexes posts. */
  startPolling(): Promise<void>
  /** Ends what `start` began and whatever is under way. Requests by people still work, and so does another start. */
  rest(): Promise<void>
  close(): Promise<void>
}

export interface LivingParts {
  readonly store: Store
  readonly engine: AppEngine
  readonly events: EventHub
  readonly webhookSender: WebhookSender
  readonly searchIndex: BackgroundIndex
  readonly metrics: Metrics
  readonly fetcher: Fetcher
  readonly documents: Documents
  readonly stopClock: () => void
  readonly processReports: ProcessReports
}

export function lifeCycleOf(parts: LivingParts): LifeCycle {
  const { engine, webhookSender, searchIndex } = parts
  let resting: Promise<unknown> = Promise.resolve()
  let closing: Promise<void> | null = null
  const close = (): Promise<void> => {
    closing ??= closeAll(parts)
    return closing
  }
  const startPolling = async (): Promise<void> => {
    await resting
    searchIndex.start()
    await engine.start()
    parts.processReports.start('worker')
  }
  return {
    async start() {
      await resting
      webhookSender.start()
      parts.processReports.start('serve')
      await startPolling()
    },
    startPolling,
    async rest() {
      resting = Promise.all([engine.rest(), webhookSender.stop(), searchIndex.stop(), parts.processReports.stop()])
      await resting
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function closeAll(parts: LivingParts): Promise<void> {
  const { store, engine, events, webhookSender, searchIndex, metrics, fetcher, documents, stopClock } = parts
  events.close()
  await metrics.close()
  await Promise.all([engine.stop(), webhookSender.stop(), searchIndex.stop(), parts.processReports.stop()])
  await Promise.all([fetcher.close(), documents.close()])
  stopClock()
  await store.close()
}
