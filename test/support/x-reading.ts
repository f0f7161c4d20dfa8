// A fake X with one account and one key, and the reader under test in front of it.
import { NEVER_POLLED, type Source } from '../../src/domain/source.ts'
import { defaultSettings } from '../../src/domain/source-settings.ts'
import type { ReadResult } from '../../src/ports/reader.ts'
import { createXSource, type XSourceOptions } from '../../src/sources/x/x-source.ts'
import { type FakeX, startFakeX } from './fake-x.ts'
import { plainVisit } from './plain-visit.ts'

export const KEY = 'AAAA-key-of-ada'
export const ACCOUNT = '2244994945'
export const NOW = Date.UTC(2026, 1, 16, 12)

export const X_OPTIONS: XSourceOptions = {
  baseUrl: 'http://x.test',
  keyOf: async (userId) => (userId === 'u1' ? KEY : null),
  now: () => NOW,
  maxArticleAgeDays: async () => 7,
  usage: { count: async () => {}, waiting: async () => null },
}

export interface XReading extends AsyncDisposable {
  readonly x: FakeX
  read(source?: Partial<Source>): Promise<ReadResult>
}

export async function startXReading(options: Partial<XSourceOptions> = {}): Promise<XReading> {
  const x = await startFakeX({ now: () => NOW })
  x.allowKey(KEY)
  x.accounts.add(ACCOUNT, 'ada')
  const visit = plainVisit()
  const reader = createXSource({ ...X_OPTIONS, baseUrl: x.url, ...options })
  return {
    x,
    read: (source) => reader.read(xSource(source), visit),
    [Symbol.asyncDispose]: async () => {
      await visit[Symbol.asyncDispose]()
      await x.close()
    },
  }
}

export function documentIn(read: ReadResult): Extract<ReadResult, { kind: 'document' }> {
  if (read.kind !== 'document')
    throw new Error(`expected a document, got ${read.kind}: ${'failure' in read ? read.failure.reason : ''}`)
  return read
}

export function xSource(given: Partial<Source> = {}): Source {
  return {
    id: 's1',
    userId: 'u1',
    podcastId: 'p1',
    type: 'twitter',
    url: 'https://x.com/ada',
    urlKey: 'https://x.com/ada',
    host: 'x.com',
    lane: 'x:u1',
    ...defaultSettings({ pollIntervalMinutes: 30 }),
    hasOwnInterval: true,
    enabled: true,
    hasCredentials: false,
    trusted: true,
    typedHost: null,
    createdAt: NOW - 3_600_000,
    version: 1,
    ...NEVER_POLLED,
    ...given,
  }
}
