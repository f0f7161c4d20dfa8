// A program of examples/ in a process of its own, as a reader of the docs starts it.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const HOOKS = new URL('./tidings-from-source.js', import.meta.url).href

export interface ExampleOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export function startExample(
  file: string,
  args: readonly string[],
  { cwd, env }: ExampleOptions,
): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(process.execPath, ['--import', HOOKS, resolve(ROOT, file), ...args], {
    ...{ cwd, env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  })
}

export async function runExample(file: string, args: readonly string[], options: ExampleOptions) {
  const child = startExample(file, args, options)
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    said.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    said.err += chunk
  })
  const [code] = await once(child, 'close')
  return { code: Number(code ?? 1), ...said }
}
