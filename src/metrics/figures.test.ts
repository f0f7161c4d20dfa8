// The text is compared with that of the package that most programs use.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import prometheus from 'prom-client'
import { Counter, Gauge, Histogram } from './figures.ts'
import { CONTENT_TYPE, textOf } from './text-format.ts'

const BOUNDS = [0.1, 1, 60]
const NAMES = ['a', 'b'] as const
const label = fc.constantFrom('x', 'y', 'with "quotes"', 'back\\slash', 'two\nlines', '日本')
type Name = (typeof NAMES)[number]
type Labels = Readonly<Record<Name, string>>

/** What both sides have in common. */
interface Figures {
  readonly counter: { inc(labels: Labels, by: number): void }
  readonly gauge: { set(labels: Labels, value: number): void; reset(): void }
  readonly histogram: { observe(labels: Labels, value: number): void }
  readonly plainCounter: { inc(): void }
  readonly plainGauge: { set(value: number): void }
  readonly plainHistogram: { observe(value: number): void }
}

const step = fc.record({
  kind: fc.constantFrom('counter', 'gauge', 'histogram', 'plain', 'reset'),
  labels: fc.record({ a: label, b: label }),
  value: fc.oneof(fc.nat(100), fc.double({ min: 0, max: 100, noNaN: true })),
})

test('figures are written as prom-client writes them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const registry = new prometheus.Registry()
      const registers = [registry]
      const told = { help: 'A \\ help\nin two lines' }
      const theirs = {
        counter: new prometheus.Counter<Name>({ ...told, name: 'c_total', labelNames: NAMES, registers }),
        gauge: new prometheus.Gauge<Name>({ ...told, name: 'g', labelNames: NAMES, registers }),
        histogram: new prometheus.Histogram<Name>({
          ...told,
          name: 'h',
          labelNames: NAMES,
          buckets: BOUNDS,
          registers,
        }),
        plainCounter: new prometheus.Counter({ ...told, name: 'pc_total', registers }),
        plainGauge: new prometheus.Gauge({ ...told, name: 'pg', registers }),
        plainHistogram: new prometheus.Histogram({ ...told, name: 'ph', buckets: BOUNDS, registers }),
      }
      const ours = {
        counter: new Counter({ ...told, name: 'c_total' }, NAMES),
        gauge: new Gauge({ ...told, name: 'g' }, NAMES),
        histogram: new Histogram({ ...told, name: 'h' }, NAMES, BOUNDS),
        plainCounter: new Counter({ ...told, name: 'pc_total' }, []),
        plainGauge: new Gauge({ ...told, name: 'pg' }, []),
        plainHistogram: new Histogram({ ...told, name: 'ph' }, [], BOUNDS),
      }
      const bothSides: readonly Figures[] = [theirs, ours]
      for (const { kind, labels, value } of steps) {
        for (const figures of bothSides) {
          if (kind === 'counter') figures.counter.inc(labels, value)
          else if (kind === 'gauge') figures.gauge.set(labels, value)
          else if (kind === 'histogram') figures.histogram.observe(labels, value)
          else if (kind === 'reset') figures.gauge.reset()
          else {
            figures.plainCounter.inc()
            figures.plainGauge.set(value)
            figures.plainHistogram.observe(value)
          }
        }
      }
      assert.equal(textOf(Object.values(ours)), await registry.metrics())
      assert.equal(CONTENT_TYPE, registry.contentType)
    }),
    { numRuns: 50 },
  )
})
