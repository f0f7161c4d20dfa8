// The process: argv to command, signals to an orderly end, exit code out. Nothing else handles signals or exits.
import { lookup } from 'node:dns/promises'
import { dirname } from 'node:path'
import type { App } from './app.ts'
import { CliFailure } from './cli/failure.ts'
import { runCli } from './cli/program.ts'
import type { OpenedApp, OpenRequest } from './cli/world.ts'
import { databaseOf } from './config.ts'
import { VERSION } from './version.ts'

// A terminal and a launcher may both deliver one Ctrl-C; a person's second one comes later.
const SAME_SIGNAL_MS = 300

const ending = new AbortController()
let askedAt: number | null = null

function end(): void {
  const now = performance.now()
  if (askedAt !== null && now - askedAt > SAME_SIGNAL_MS) process.exit(1)
  askedAt ??= now
  ending.abort()
}

process.on('SIGINT', end)
process.on('SIGTERM', end)
process.on('SIGHUP', end)
// The launcher of another Node version was killed: nobody is left who could end us.
if (process.connected) {
  process.channel?.unref()
  process.on('disconnect', () => process.exit(1))
}
// `tidings list | head` closes the pipe early; that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

async function openApp(request: OpenRequest): Promise<OpenedApp> {
  const { config, log, runToken } = request
  // Only now: asking for help or a remote server must not wait for all of the product to load.
  const { createApp } = await import('./app.ts')
  const { createApi } = await import('./api/server.ts')
  const { rotateMasterKey } = await import('./secrets/rotate-master-key.ts')
  const app = await started(request, () => createApp({ config, log }))
  const { catalogue, engine, store, clock } = app
  try {
    const api = await started(request, () =>
      createApi({ config, catalogue, engine, store, clock, log, version: VERSION, runToken }),
    )
    return {
      store,
      inject: (injected) => api.inject(injected),
      async listen() {
        const { url } = await api.listen()
        app.listening.push(...(await addressesOf(app, url)))
        return { url }
      },
      start: () => engine.start(),
      rotateMasterKey: (readNewKey) => rotateMasterKey(store, secretsOptions(app), readNewKey),
      async close(deadlineMs) {
        await Promise.all([api.close(deadlineMs), engine.stop(deadlineMs)])
        await app.close()
      },
    }
  } catch (error) {
    await app.close()
    throw error
  }
}

/** What keeps it from starting is told in a sentence; the stack is for those who ask for it. */
async function started<T>({ log }: OpenRequest, start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    log.debug({ err: error }, 'could not start')
    const { message, code, errors } = error as Error & { code?: string; errors?: readonly Error[] }
    throw new CliFailure(`Cannot start: ${message || errors?.[0]?.message || code || String(error)}`)
  }
}

async function addressesOf({ config }: App, url: string): Promise<{ address: string; port: number }[]> {
  const { port, protocol } = new URL(url)
  const found = await lookup(config.server.host, { all: true })
  return found.map(({ address }) => ({ address, port: Number(port) || (protocol === 'https:' ? 443 : 80) }))
}

function secretsOptions({ config, store }: App) {
  const database = databaseOf(config.database.url)
  const inFile = database?.engine === 'sqlite' && database.path !== ':memory:'
  const dataDir = inFile ? dirname(database.path) : null
  return { masterKey: config.encryption.masterKey, engine: store.engine, dataDir }
}

const exitCode = await runCli(process.argv.slice(2), {
  version: VERSION,
  env: process.env,
  cwd: process.cwd(),
  pid: process.pid,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  now: () => Date.now(),
  ending: ending.signal,
  openApp,
})
// What was written must be out before the process is.
process.stdout.write('', () => process.exit(exitCode))
