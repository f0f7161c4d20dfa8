// Somebody who follows a page from top to bottom: runs its shell blocks one after another in bash, in one folder, with one
// store. The programs that a page names are stand-ins (shim.js), which ask this process: `tidings` runs the real command,
// `curl` the real curl. Addresses of the docs lead to servers on loopback.
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CommandRunner } from './commands.ts'
import { lookAt } from './not-run.ts'
import type { Called, Ended, World } from './world.ts'

const SHIM = fileURLToPath(new URL('./shim.js', import.meta.url))
const PROGRAMS = [
  'tidings',
  'npx',
  'npm',
  'curl',
  'docker',
  'kubectl',
  'systemctl',
  'sudo',
  'git',
  'pg_dump',
  'pg_restore',
  'claude',
]

/** Files that a reader has before they begin. */
const BROUGHT: Readonly<Record<string, string>> = {
  'address.txt': 'https://example.org/tidings',
  'token.txt': 'a-bearer-token-of-X',
  'feeds.opml': '<opml version="2.0"><body><outline type="rss" xmlUrl="https://example.org/feed"/></body></opml>',
}

export interface Reader extends AsyncDisposable {
  /** Runs a script, which must succeed; answers what it printed. */
  run(script: string, how?: { terminal?: boolean }): Promise<string>
}

export async function startReader(world: World): Promise<Reader> {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-docs-'))
  for (const [name, content] of Object.entries(BROUGHT)) writeFileSync(join(folder, name), world.toLoopback(content))
  // Commands run in this process, and a store's path may be relative.
  process.chdir(folder)
  const commands = new CommandRunner(world, folder)
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const called: Called = JSON.parse(Buffer.concat(chunks).toString())
    const ended = await answer(commands, called).catch((error): Ended => ({ code: 1, out: '', err: error.stack }))
    response.end(JSON.stringify(ended))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const bin = writeStandIns(join(folder, '.bin'))
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: folder, SHIM_URL: `http://127.0.0.1:${port}/`, ID: 'ID' }
  return {
    async run(script, { terminal = false } = {}) {
      const { code, out, err } = await bash(script, folder, terminal ? { ...env, TERMINAL: 'yes' } : env)
      if (code !== 0) throw new Error(`ended with ${code}\n${script}\n${out}\n${err}`)
      return world.fromLoopback(out)
    },
    async [Symbol.asyncDispose]() {
      await commands.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      process.chdir(tmpdir())
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function answer(commands: CommandRunner, called: Called): Promise<Ended> {
  const { name, args } = called
  if (name === 'tidings') return commands.tidings(called)
  if (name === 'curl') return commands.curl(called)
  if (name === 'npx' && args[0] === 'tidings') return commands.tidings({ ...called, args: args.slice(1) })
  if (name === 'npx' && args[0] === 'node') return commands.example(called)
  if (name === 'npm' && args[0] === 'start') return commands.tidings({ ...called, args: ['serve', ...args.slice(2)] })
  if (name === 'npm' && args[0] === 'run' && args[1] === 'tidings') {
    return commands.tidings({ ...called, args: args.slice(3) })
  }
  return lookAt(called)
}

function writeStandIns(bin: string): string {
  mkdirSync(bin)
  for (const name of PROGRAMS) {
    const path = join(bin, name)
    writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${SHIM}" ${name} "$@"\n`)
    chmodSync(path, 0o755)
  }
  return bin
}

// A reader has one terminal for a page: variables of one block are there in the next.
const KEEP = 'declare -p > "$HOME/.variables"'
const RESTORE = 'if [ -e "$HOME/.variables" ]; then . "$HOME/.variables" 2> /dev/null || true; fi'

function bash(script: string, cwd: string, env: Record<string, string>): Promise<Ended> {
  return new Promise((resolve) => {
    const args = ['--norc', '-euo', 'pipefail', '-c', `exec < /dev/null\n${RESTORE}\n${script}\n${KEEP}`]
    execFile('bash', args, { cwd, env }, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ code, out, err })
    })
  })
}
