// Large and hostile imports: bounded in rows, time, memory and answer, and nobody else waits for them.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { describe, test } from 'node:test'
import { leastMs, longestStretchMs } from '../support/processor-time.ts'
import { until } from '../support/until.ts'
import { type Person, startWholeProduct, type WholeProduct } from '../support/whole-product.ts'

const MIB = 1024 * 1024
const MOST_MS = 50

function send(product: WholeProduct, person: Person, raw: string, contentType = 'text/plain', token = person.token) {
  return product.ask('POST', `${person.sources}/import`, { token, raw, headers: { 'content-type': contentType } })
}

function lines(count: number): string {
  return Array.from({ length: count }, (_, n) => `https://a.example/${n}\n`).join('')
}

function opml(bytes: number): string {
  const outline = '<outline text="Some feed &amp; more" xmlUrl="not an address"/>\n'
  return `<opml><body>${outline.repeat(Math.floor((bytes - 40) / outline.length))}</body></opml>`
}

/** On a busy machine the worker thread may not have enough time. The import is bounded then, too. */
const TOO_SLOW = /Reading took longer than 10 s/

function orTooSlow(error: Error): void {
  assert.match(error.message, TOO_SLOW)
}

describe('an import', () => {
  test('of more rows than allowed is refused with the name of the limit and adds nothing; an admin has no limit', async () => {
    await using product = await startWholeProduct({ config: { limits: { importRows: 5 } } })
    const ann = await product.person('Ann')
    const told = await send(product, ann, lines(6))
    assert.deepEqual([told.status, told.body.code], [409, 'limit-reached'])
    assert.match(told.body.detail, /app\.limits\.import-rows/)
    assert.equal((await product.catalogue.sources.list(ann.podcastId)).items.length, 0)
    assert.equal((await send(product, ann, lines(5))).body.added, 5)
    assert.equal((await send(product, ann, lines(8), 'text/plain', await product.admin())).body.added, 3)
  })

  test('reports a hundred failures one by one and counts the others', async () => {
    await using product = await startWholeProduct()
    const ann = await product.person('Ann')
    const bad = Array.from({ length: 250 }, (_, n) => `bad ${n}\n`).join('')
    const { body } = await send(product, ann, `${lines(2)}${bad}bad 7\n${lines(1)}`)
    assert.deepEqual([body.added, body.skipped, body.failed.length, body.failedMore], [2, 1, 100, 151])
    assert.equal(body.failed[0].url, 'bad 0')
  })

  test('stops at the limit of sources, and says so for the rows that are left', async () => {
    await using product = await startWholeProduct({ config: { limits: { sources: 3 } } })
    const ann = await product.person('Ann')
    const { status, body } = await send(product, ann, lines(10))
    assert.deepEqual([status, body.added, body.failed.length], [200, 3, 7])
    for (const { reason } of body.failed) assert.match(reason, /app\.limits\.sources/)
  })

  test('is stopped when the caller is gone', async () => {
    await using product = await startWholeProduct()
    const ann = await product.person('Ann')
    const headers = { 'content-type': 'text/plain', authorization: `Bearer ${ann.token}` }
    const sent = request(`${product.url}${ann.sources}/import`, { method: 'POST', headers, agent: false })
    sent.on('error', () => {})
    sent.end(lines(20_000))
    const count = async () => (await product.store.totals({ userId: ann.id, now: product.clock.now() })).sources
    await until('the import has begun', async () => (await count()) > 0)
    sent.destroy()
    let before = -1
    await until('no more sources are added', async () => {
      const now = await count()
      const same = now === before
      before = now
      await new Promise((resolve) => setTimeout(resolve, 50))
      return same
    })
    assert.ok(before < 20_000, `${before} sources were added`)
  })

  for (const [name, contentType, raw] of [
    ['10 MiB of lines with one letter', 'text/plain', 'a\n'.repeat(5 * MIB)],
    ['10 MiB of OPML', 'text/xml', opml(10 * MIB)],
    ['one line of 10 MiB', 'text/plain', 'a'.repeat(10 * MIB)],
    ['10 MiB of JSON with one row of many fields', 'application/json', manyFields(9 * MIB)],
  ] as const) {
    test(`of ${name} costs the event loop less than ${MOST_MS} ms at a time, and the answer is small`, async () => {
      await using product = await startWholeProduct()
      const ann = await product.person('Ann')
      const admin = await product.admin()
      const list = { bytes: Buffer.from(raw), contentType }
      const stretch = await leastMs(MOST_MS, () =>
        longestStretchMs(() => product.catalogue.sources.importList(ann.podcastId, list).catch(orTooSlow)),
      )
      assert.ok(stretch < MOST_MS, `${stretch} ms`)
      for (const token of [ann.token, admin]) {
        const told = await send(product, ann, raw, contentType, token)
        const isBounded = told.body.code === 'limit-reached' || TOO_SLOW.test(told.body.detail ?? '')
        assert.ok(told.status === 200 || isBounded, told.text.slice(0, 300))
        assert.ok(told.text.length < 300_000, `an answer of ${told.text.length} characters`)
      }
    })
  }
})

test('a body with 90,000 unknown fields is refused in a short answer', async () => {
  await using product = await startWholeProduct()
  const ann = await product.person('Ann')
  const body = Object.fromEntries(Array.from({ length: 90_000 }, (_, n) => [`f${n}`, 0]))
  const told = await product.ask('POST', ann.sources, { token: ann.token, body })
  assert.equal(told.status, 400)
  assert.ok(told.text.length < 10_000, `an answer of ${told.text.length} characters`)
})

function manyFields(bytes: number): string {
  const fields = Array.from({ length: Math.floor(bytes / 16) }, (_, n) => `"f${String(n).padStart(9, '0')}":0`)
  return `[{"url":"https://a.example/",${fields.join(',')}}]`
}
