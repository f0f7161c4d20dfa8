// node --import ./bench/soak/tell-memory.ts: says every second in the file MEMORY_FILE what the memory of a process is
// used for, and which processor time it took. The product knows nothing of it.
import { renameSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const file = process.env.MEMORY_FILE
if (isMainThread && file) {
  const tell = (): void => {
    const { heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    writeFileSync(
      `${file}.new`,
      JSON.stringify({ heapUsed, heapTotal, external, arrayBuffers, cpuMicros: user + system }),
    )
    renameSync(`${file}.new`, file)
  }
  tell()
  setInterval(tell, 1000).unref()
}
