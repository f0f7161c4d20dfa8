/**
 * What one reader takes for one document of `feed-reader.ts`, in this process: prints CPU time in milliseconds as JSON.
 *
 *   node bench/feed-reader-process.ts <reader> <title> <rounds> <documents in each round>
 */
import { setTimeout } from 'node:timers/promises'
import { bytesOf } from './feed-reader-documents.ts'
import { CONTENDERS } from './feed-readers.ts'

/** Of the first document, and of one document in each round. */
export type Measured = { first: number; rounds: number[] }

/** In this time the runtime's threads finish what they have begun. */
const SETTLING_MS = 100

const [reader = '', title = '', rounds, times] = process.argv.slice(2)
const bytes = bytesOf(title)
const read = await CONTENDERS[reader]?.load()

async function readAll(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await read?.(bytes)
}

async function cpuMsOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

// Collecting the garbage of loading belongs to loading, and the code that is still being compiled to the document.
await setTimeout(SETTLING_MS)
const measured: Measured = { first: 0, rounds: [] }
measured.first = await cpuMsOf(async () => {
  await readAll(1)
  await setTimeout(SETTLING_MS)
})
for (let round = 0; round < Number(rounds); round++) {
  measured.rounds.push((await cpuMsOf(() => readAll(Number(times)))) / Number(times))
}
console.log(JSON.stringify(measured))
