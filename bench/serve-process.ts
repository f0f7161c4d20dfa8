// A `serve` in a process of its own, as people start it, from the command to the first 200 of /readyz.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'

const LAUNCHER = fileURLToPath(new URL('../bin/tidings.js', import.meta.url))

export interface ServeProcess {
  readonly pid: number
  readonly url: string
  readonly readyMs: number
  stop(): Promise<void>
}

/** `args`: where its store is. */
export async function startServe(args: readonly string[]): Promise<ServeProcess> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const startedAt = performance.now()
  const child = spawn(process.execPath, [LAUNCHER, 'serve', ...args, '--port', String(port)], {
    env: { PATH: process.env.PATH, APP_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`serve ended with ${child.exitCode}`)
    await wait(5)
  }
  return { pid: child.pid ?? 0, url, readyMs: performance.now() - startedAt, stop }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/readyz`)
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}
