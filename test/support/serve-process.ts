// A `tidings serve` in a process of its own, as people run it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export const LAUNCHER = fileURLToPath(new URL('../../bin/tidings.js', import.meta.url))

export interface ServeProcess extends AsyncDisposable {
  readonly url: string
  /** What it said on stdout when it was up. */
  readonly greeting: string
  /** What it logged so far. */
  log(): string
  readonly process: ChildProcess
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>
}

export interface Ran {
  readonly code: number | string
  readonly out: string
  readonly err: string
}

function start(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [LAUNCHER, ...args], {
    env: { PATH: process.env.PATH, APP_HTTP_ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    said.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    said.err += chunk
  })
  const ended = once(child, 'close').then(([code, signal]): number | string => code ?? signal)
  return { child, said, ended }
}

export async function runProcess(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const { said, ended } = start(args, env)
  return { code: await ended, ...said }
}

/** Resolves when it is up. */
export async function startServe(
  data: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<ServeProcess> {
  const store = args.includes('--database') ? [] : ['--data', data]
  const running = await startRunning(['serve', ...store, '--port', '0', ...args], env)
  return { ...running, url: /Dashboard {2}(\S+?)\/$/m.exec(running.greeting)?.[1] ?? '' }
}

/** A command that runs until it is ended. Resolves when it is up. */
export async function startRunning(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Omit<ServeProcess, 'url'>> {
  const { child, said, ended } = start(args, env)
  while (!said.out.includes('Ctrl-C ends it.')) {
    const more = await Promise.race([once(child.stdout, 'data'), ended])
    if (!Array.isArray(more)) throw new Error(`${args[0]} ended with ${more}: ${said.err}`)
  }
  return {
    greeting: said.out,
    log: () => said.err,
    process: child,
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
