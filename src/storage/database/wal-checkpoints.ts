// Copies the write-ahead log back into the database file. That waits for the disk (fsync), and a slow disk would block
// the event loop for too long, so a worker thread does it. It runs between two transactions, so that the log is truncated
// and stays small. The thread starts when it is first needed.
import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

const DUE_AT_BYTES = 4 * 1024 * 1024

const WORKER = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { DatabaseSync } = require('node:sqlite')
  const db = new DatabaseSync(workerData, { timeout: 100 })
  db.exec('PRAGMA synchronous = NORMAL')
  parentPort.on('message', (message) => {
    if (message === 'stop') {
      db.close()
      parentPort.close()
      return
    }
    try {
      db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
    } catch {}
    parentPort.postMessage('done')
  })
`

export class WalCheckpoints {
  readonly #path: string
  #worker: Worker | null = null

  constructor(path: string) {
    this.#path = path
  }

  /** Never throws: whoever asks still has to let the next writer go on. */
  isDue(): boolean {
    try {
      return (statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size ?? 0) >= DUE_AT_BYTES
    } catch {
      // The folder cannot be read for now. The next transaction says so.
      return false
    }
  }

  /** Never rejects. A checkpoint that fails is made after a later transaction. */
  run(): Promise<void> {
    try {
      this.#worker ??= this.#start()
    } catch {
      // There may be as many threads as the system allows.
      return Promise.resolve()
    }
    const worker = this.#worker
    return new Promise((resolve) => {
      const done = () => {
        worker.off('message', done).off('exit', done)
        worker.unref()
        resolve()
      }
      worker.ref()
      worker.on('message', done).on('exit', done)
      worker.postMessage('checkpoint')
    })
  }

  async stop(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    if (!worker) return
    worker.ref()
    const exited = new Promise((resolve) => worker.once('exit', resolve))
    worker.postMessage('stop')
    await exited
  }

  #start(): Worker {
    const worker = new Worker(WORKER, { eval: true, workerData: this.#path, name: 'checkpoints' })
    worker.on('error', () => {
      this.#worker = null
    })
    return worker
  }
}
