// npm run soak -- [--minutes 60] [--rate 20] [--streams 10] [--sources 200] [--heap MEGABYTES]
// npm run soak -- --minutes 5 --rate 500 --streams 1000: load. Exits with 1 if something was not flat, or an answer failed.
// npm run soak -- listeners [--clients 980] [--slow 20] [--heap 160]: see soak/listeners.ts.
import { parseArgs } from 'node:util'
import { listen } from './soak/listeners.ts'
import { soak } from './soak/soak.ts'

async function soakFrom(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '60' },
      rate: { type: 'string', default: '20' },
      streams: { type: 'string', default: '10' },
      sources: { type: 'string', default: '200' },
      heap: { type: 'string' },
    },
  })
  const { samples, requests, errors, polls, events, slopes, times, broken } = await soak({
    minutes: Number(values.minutes),
    rate: Number(values.rate),
    streams: Number(values.streams),
    sources: Number(values.sources),
    heapMb: values.heap === undefined ? null : Number(values.heap),
    onSample: (sample) => {
      const { atSeconds, memoryMb, heapMb, heapTotalMb, externalMb, descriptors, walMb, p50Ms, p99Ms } = sample
      const memory = `${memoryMb.toFixed(0)} MB (heap ${heapMb.toFixed(0)} of ${heapTotalMb.toFixed(0)}, external ${externalMb.toFixed(0)})`
      const times = `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`
      const cpu = `processor ${sample.cpuSeconds.toFixed(0)} s, readers ${sample.readersCpuSeconds.toFixed(0)} s`
      console.log(
        `${atSeconds.toFixed(0)} s: ${memory}, ${descriptors} descriptors, log ${walMb.toFixed(1)} MB, ${times}, ${cpu}`,
      )
    },
  })
  console.log(
    `${samples.length} samples, ${requests} requests, ${errors.length} errors, ${polls} polls, ${events} events`,
  )
  console.log(
    `${times.requestsPerSecond.toFixed(0)} requests a second, p50 ${times.p50Ms.toFixed(1)} ms, p99 ${times.p99Ms.toFixed(1)} ms`,
  )
  const words = Object.entries(slopes).map(([name, slope]) => `${name} ${slope.toFixed(2)}`)
  console.log(`in a minute, after the first third: ${words.join(', ')}`)
  for (const text of [...broken, ...errors.slice(0, 10)]) console.log(`  ${text}`)
  return broken.length + errors.length === 0
}

async function listenFrom(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: {
      clients: { type: 'string', default: '980' },
      slow: { type: 'string', default: '20' },
      heap: { type: 'string', default: '160' },
      events: { type: 'string', default: '300' },
      stuck: { type: 'string', default: '130' },
    },
  })
  const { memoryMb, heard, ended, broken } = await listen({
    clients: Number(values.clients),
    slow: Number(values.slow),
    backlog: 10_000,
    events: Number(values.events),
    heapMb: Number(values.heap),
    stuckSeconds: Number(values.stuck),
    onNote: (note) => console.log(`  ${note}`),
  })
  console.log(
    `a heap of ${values.heap} MB, ${memoryMb.toFixed(0)} MB in all; each client heard ${heard} events and more; ${ended} of ${values.slow} slow ones were ended and came back`,
  )
  for (const text of broken.slice(0, 10)) console.log(`  ${text}`)
  return broken.length === 0
}

const [first, ...rest] = process.argv.slice(2)
const isFine = first === 'listeners' ? await listenFrom(rest) : await soakFrom(process.argv.slice(2))
process.exitCode = isFine ? 0 : 1
