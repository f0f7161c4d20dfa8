// The worker's side of the pool: runs one task after another and replies to each. An error in a task becomes its reply and
// does not end the thread.
import { parentPort } from 'node:worker_threads'
import type { Job, Reply } from './messages.ts'

/** `payload` is the value that the caller passed to `run`. */
// biome-ignore lint/suspicious/noExplicitAny: each task states the payload it takes; the wire between threads is untyped.
export type Task = (payload: any) => unknown

export function serveTasks(tasks: Readonly<Record<string, Task>>): void {
  const port = parentPort
  if (!port) throw new Error('serveTasks runs in a worker thread only')
  const reply = (message: Reply) => port.postMessage(message)
  port.on('message', async ({ id, task, payload }: Job) => {
    try {
      const run = tasks[task]
      if (!run) throw new Error(`There is no task named ${task}`)
      reply({ kind: 'done', id, value: await run(payload) })
    } catch (error) {
      const { code, message } = error as { code?: unknown; message?: unknown }
      reply({ kind: 'failed', id, code: typeof code === 'string' ? code : null, message: String(message ?? error) })
    }
  })
  reply({ kind: 'ready' })
}
