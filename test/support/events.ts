// Event rows for tests that look at how events travel, not at what they hold.
import type { EventType, NewEvent, StoredEvent } from '../../src/domain/event.ts'
import type { Store } from '../../src/ports/store.ts'
import { TEST_START } from './manual-clock.ts'

/** What a test says of an event besides its type. */
export type EventFacts = Partial<Omit<StoredEvent, 'id' | 'type' | 'data'>> & {
  readonly data?: Readonly<Record<string, unknown>>
}

/** Of the default user. The data is whatever a test gives: a cast, because most tests give less than the type asks for. */
export function eventOf(type: EventType, given: EventFacts = {}): NewEvent {
  const about = { at: TEST_START, userId: 'default', podcastId: null, sourceId: null, host: null }
  return { type, ...about, data: {}, ...given } as NewEvent
}

/** Writes events and nothing else of interest. */
export async function writeEvents(store: Pick<Store, 'writeMeta'>, events: readonly NewEvent[]): Promise<void> {
  await store.writeMeta('written-by-a-test', '', events)
}
