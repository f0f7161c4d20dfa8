import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openStore } from '../../src/storage/open-store.ts'
import { ALL, aSource, NOW, withSources } from './fixtures.ts'

export interface Crashable {
  readonly url: string
  /** Resolves when nothing of the dead process is under way any more. */
  settled(): Promise<void>
  remove(): Promise<void>
}

export function crashContract(name: string, fresh: () => Promise<Crashable>): void {
  test(`${name}: kill -9 at any point leaves each poll whole or not at all`, async () => {
    for (let round = 0; round < 4; round++) {
      const database = await fresh()
      try {
        await crashAndCheck(database, round * 7)
      } finally {
        await database.remove()
      }
    }
  })
}

async function crashAndCheck({ url, settled }: Crashable, afterMs: number): Promise<void> {
  const before = await openStore(url)
  await withSources(before, aSource('s1'), aSource('s2'))
  await before.close()

  const writer = spawn(process.execPath, [fileURLToPath(new URL('crash-writer.ts', import.meta.url)), url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(writer, 'exit')
  await once(writer.stdout, 'data')
  // Wherever it is then; the point differs from round to round.
  await new Promise((resolve) => setTimeout(resolve, afterMs))
  writer.kill('SIGKILL')
  await exited
  await settled()

  await using store = Object.assign(await openStore(url), {
    async [Symbol.asyncDispose]() {
      await store.close()
    },
  })
  const polls = (await store.listPolls('s1', ALL)).items[0]?.found ?? 0
  const { posts } = await store.totals({ userId: null, now: NOW })
  const { postCount = 0 } = (await store.countsOf(['s1'])).get('s1') ?? {}
  assert.ok(polls >= 3)
  assert.equal(postCount, polls * 40)
  assert.equal((posts - postCount) % 30, 0)
  assert.equal((await store.getSource('s1'))?.consecutiveFailures, polls)
  assert.equal((await store.hostState('a.example'))?.bareThrottles, polls)
  // Counted: a killed transaction may have taken an id that no event has.
  assert.equal((await store.eventsAfter('0', polls + 10)).length, polls)
  const hashes = [`hash-old-${polls}`, `hash-old-${polls + 1}`]
  assert.equal((await store.knownEntries('s1', { guids: [], urls: [], hashes })).length, 1)
  await store.writeMeta('still', 'writable')
}
