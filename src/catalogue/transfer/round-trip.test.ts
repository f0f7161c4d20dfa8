// What is exported and imported into an empty store is exported the same again, whatever the sources are like.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { tempCatalogue } from '../../../test/support/catalogue.ts'
import type { NewSourceInput } from '../shapes/schemas.ts'

const name = fc
  .string({ unit: fc.constantFrom(...'aB9 &<>"\'/\\ü€😀;%{}='), minLength: 1, maxLength: 30 })
  .map((text) => text.trim().replace(/ +/g, ' '))
  .filter((text) => text !== '')
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null })

const source: fc.Arbitrary<Partial<NewSourceInput>> = fc.record({
  type: fc.constantFrom('rss', 'website'),
  label: maybe(name),
  folder: maybe(
    fc
      .array(
        name.map((text) => text.replace(/[\\/]/g, '')).filter((text) => text.trim() !== ''),
        { minLength: 1, maxLength: 3 },
      )
      .map((names) => names.map((each) => each.trim()).join('/')),
  ),
  pollIntervalMinutes: maybe(fc.integer({ min: 1, max: 10_080 })),
  enabled: fc.boolean(),
  aggregate: maybe(fc.boolean()),
  categoryFilter: maybe(name),
  maxFailures: maybe(fc.integer({ min: 1, max: 20 })),
  maxBackoffHours: maybe(fc.integer({ min: 1, max: 100 })),
  pollDelaySeconds: maybe(fc.integer({ min: 0, max: 300 })),
  honourFreshness: fc.boolean(),
  backfillDays: fc.integer({ min: 0, max: 30 }),
  fullText: maybe(fc.constantFrom('never', 'auto', 'always')),
  adaptive: fc.boolean(),
})

for (const format of ['exportJson', 'exportOpml'] as const) {
  test(`${format}, import into an empty store and export again give the same`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(source, { minLength: 1, maxLength: 6 }), fc.boolean(), async (sources, secrets) => {
        await using one = await tempCatalogue()
        for (const [index, given] of sources.entries()) {
          const url = `https://${index % 2 ? 'me:p%40ss@' : ''}example.org/${index}?a=1&b="2"`
          await one.sources.create('default', { ...given, url, validate: false } as NewSourceInput)
        }
        await using other = await tempCatalogue()
        const exported = await one.sources[format]('default', { secrets })
        const told = await other.sources.importList('default', { bytes: Buffer.from(textOf(exported)) })
        assert.deepEqual(told, { added: sources.length, skipped: 0, failed: [] })
        assert.deepEqual(sorted(await other.sources[format]('default', { secrets })), sorted(exported))
        // OPML loses nothing that JSON has.
        const whole = await one.sources.exportJson('default', { secrets })
        assert.deepEqual(sorted(await other.sources.exportJson('default', { secrets })), sorted(whole))
      }),
      { numRuns: 25 },
    )
  })
}

function textOf(exported: unknown): string {
  return typeof exported === 'string' ? exported : JSON.stringify(exported, null, 1)
}

/** An import adds sources in the order of the list, which has folders first. */
function sorted(exported: unknown): string[] {
  if (typeof exported === 'object')
    return (exported as { sources: unknown[] }).sources.map((each) => JSON.stringify(each)).toSorted()
  return String(exported)
    .split('\n')
    .map((line) => line.trim())
    .toSorted()
}
