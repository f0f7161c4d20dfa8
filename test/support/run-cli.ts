// The command line in this process, with the real product behind it: what a person types, and what comes back.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { CommandContext } from '../../src/cli/command-context.ts'
import { runCli } from '../../src/cli/program.ts'
import { migrateStore } from '../../src/open-app/migrate-store.ts'
import { readList } from '../../src/open-app/read-list.ts'
import { openApp } from '../../src/open-app.ts'

export interface Typed {
  readonly code: number
  readonly out: string
  readonly err: string
  json<T = Record<string, unknown>>(): T
}

export interface Shell extends Disposable {
  readonly folder: string
  readonly env: Record<string, string>
  tidings(...args: string[]): Promise<Typed>
  /** With this on standard input. */
  tidingsWith(input: string, ...args: string[]): Promise<Typed>
}

/** Every command works on a store of its own, in a folder of its own, and may visit loopback. */
export function openShell(over: Partial<CommandContext> = {}): Shell {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-cli-'))
  const env: Record<string, string> = { APP_HTTP_ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8', APP_LOG_LEVEL: 'silent' }
  const run = async (input: string, args: string[]): Promise<Typed> => {
    let [out, err] = ['', '']
    const code = await runCli([...args, ...storeOf(args, folder)], {
      version: '1.2.3',
      env,
      cwd: folder,
      pid: process.pid,
      stdin: Readable.from([input]),
      stdout: { write: (text) => (out += text) },
      stderr: { write: (text) => (err += text) },
      now: () => Date.now(),
      ending: new AbortController().signal,
      openApp,
      migrateStore,
      readList: async (list) => readList(list, null),
      ...over,
    })
    return { code, out, err, json: () => JSON.parse(out) }
  }
  return {
    folder,
    env,
    tidings: (...args) => run('', args),
    tidingsWith: (input, ...args) => run(input, args),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

function storeOf(args: readonly string[], folder: string): string[] {
  const says = args.some((arg) => /^--(data|database|from|server|help|version)$/.test(arg)) || args.length === 0
  return says || args.includes('generate') ? [] : ['--data', folder]
}
