// npm run soak -- [--minutes 60] [--rate 20] [--streams 10] [--sources 200] [--heap MEGABYTES]
// npm run soak -- --minutes 5 --rate 500 --streams 1000: load. Exits with 1 if something was not flat, or an answer failed.
import { parseArgs } from 'node:util'
import { soak } from './soak/soak.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    rate: { type: 'string', default: '20' },
    streams: { type: 'string', default: '10' },
    sources: { type: 'string', default: '200' },
    heap: { type: 'string' },
  },
})
const { samples, requests, errors, polls, events, slopes, broken } = await soak({
  minutes: Number(values.minutes),
  rate: Number(values.rate),
  streams: Number(values.streams),
  sources: Number(values.sources),
  heapMb: values.heap === undefined ? null : Number(values.heap),
  onSample: (sample) => {
    const { atSeconds, memoryMb, descriptors, walMb, p50Ms, p99Ms } = sample
    const times = `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`
    console.log(
      `${atSeconds.toFixed(0)} s: ${memoryMb.toFixed(0)} MB, ${descriptors} descriptors, log ${walMb.toFixed(1)} MB, ${times}`,
    )
  },
})
console.log(
  `${samples.length} samples, ${requests} requests, ${errors.length} errors, ${polls} polls, ${events} events`,
)
const words = Object.entries(slopes).map(([name, slope]) => `${name} ${slope.toFixed(2)}`)
console.log(`in a minute, after the first third: ${words.join(', ')}`)
for (const text of [...broken, ...errors.slice(0, 10)]) console.log(`  ${text}`)
process.exitCode = broken.length + errors.length > 0 ? 1 : 0
