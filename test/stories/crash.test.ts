import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createTidings } from '../../src/index.ts'
import { startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'

const CHILD = fileURLToPath(new URL('../support/crash-child.ts', import.meta.url))
const DELAY_SECONDS = 0.2
const LIVES_MS = [150, 430, 90, 610, 260, 340]
const REQUESTS = 6

test('killed at any moment, again and again: nothing is lost, nothing is stored twice, no host is asked too soon', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'tidings-crash-'))
  const origins = await Promise.all(['127.0.0.2', '127.0.0.3'].map((host) => startOrigin({ host })))
  const published: string[] = []
  for (const origin of origins) {
    // Each answer carries three entries that no earlier one had, and all that came before.
    let shown = 0
    origin.route('/feed', (_request, response) => {
      shown += 3
      const guids = Array.from({ length: shown }, (_, n) => `${origin.host}-${n}`)
      published.push(...guids.slice(-3))
      response.end(rss(guids.toReversed().map((guid) => ({ title: `Entry ${guid}`, guid }))))
    })
  }
  const urls = origins.map((origin) => `${origin.url}/feed`)
  try {
    // On a busy machine a short life may end before its first request: go on until every host was asked often enough.
    const wereAskedOften = () => origins.every(({ requests }) => requests.length >= REQUESTS)
    for (let life = 0; life < LIVES_MS.length || (life < 30 && !wereAskedOften()); life++) {
      const child = spawn(process.execPath, [CHILD, dir, String(DELAY_SECONDS), ...urls], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await once(child.stdout, 'data')
      await sleep(LIVES_MS[life % LIVES_MS.length])
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    await using tidings = await createTidings({
      config: { database: { url: `file:${dir}/tidings.db` }, http: { allowPrivateNetworks: ['127.0.0.0/8'] } },
    })
    const sources = (await tidings.catalogue.sources.list('default')).items
    for (const { id } of sources) assert.equal((await tidings.poll(id)).outcome, 'success')
    const { items } = await tidings.posts.list('default', { limit: 500 })
    assert.deepEqual(items.map(({ guid }) => guid).sort(), published.toSorted())
  } finally {
    await Promise.all(origins.map((origin) => origin.close()))
    await rm(dir, { recursive: true, force: true })
  }
  for (const { host, requests } of origins) {
    assert.ok(requests.length >= REQUESTS, `${requests.length} requests`)
    const gaps = requests.slice(1).map(({ at }, index) => at - (requests[index]?.at ?? 0))
    assert.ok(Math.min(...gaps) >= DELAY_SECONDS * 1000 - 5, `${host}: ${Math.min(...gaps)} ms`)
  }
})
