// A command in a pseudo-terminal, as a person sees it. The program `script`, which every Linux and macOS has, makes one.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { until } from './until.ts'

const LAUNCHER = fileURLToPath(new URL('../../bin/tidings.js', import.meta.url))

export interface Screen {
  readonly columns?: number
  readonly rows?: number
  readonly env?: Readonly<Record<string, string>>
}

export interface Terminal extends AsyncDisposable {
  /** Everything that was written to the screen so far. */
  readonly screen: () => string
  type(keys: string): void
  /** Resolves when the screen shows it. */
  shows(text: string | RegExp): Promise<void>
  /** The exit code. */
  readonly ended: Promise<number>
}

export function openTerminal(args: readonly string[], { columns = 80, rows = 24, env = {} }: Screen = {}): Terminal {
  const quoted = [process.execPath, LAUNCHER, ...args].map((arg) => `'${arg.replaceAll("'", `'\\''`)}'`).join(' ')
  const command = `stty cols ${columns} rows ${rows}; exec ${quoted}`
  const inTerminal =
    process.platform === 'darwin' ? ['-q', '/dev/null', 'sh', '-c', command] : ['-qec', command, '/dev/null']
  const child: ChildProcessWithoutNullStreams = spawn('script', inTerminal, {
    env: { PATH: process.env.PATH, TERM: 'xterm', APP_HTTP_ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8', ...env },
  })
  let seen = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      seen += chunk
    })
  }
  const ended = once(child, 'close').then(([code]) => Number(code ?? 1))
  return {
    screen: () => seen,
    type: (keys) => child.stdin.write(keys),
    shows: (text) =>
      until(`the screen shows ${text}`, () => (typeof text === 'string' ? seen.includes(text) : text.test(seen))),
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
