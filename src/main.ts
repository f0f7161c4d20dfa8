// The process: passes the arguments to a command, turns signals into an orderly end, and exits with the command's code.
// No other file handles signals or exits.
import { runCli } from './cli/program.ts'
import { VERSION } from './version.ts'

// A terminal and a launcher may both deliver one Ctrl-C. A second one from a person comes later.
const SAME_SIGNAL_MS = 300
const PARENT_WATCH_MS = 500

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
// If the launcher process was killed, nothing else could end this one.
if (process.connected) {
  process.channel?.unref()
  process.on('disconnect', () => process.exit(1))
}
// npm sends a signal to the shell that runs the script. The shell ends without passing it on.
if (process.env.npm_lifecycle_event !== undefined && process.platform !== 'win32') {
  const shell = process.ppid
  const watching = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(watching)
    end()
  }, PARENT_WATCH_MS)
  watching.unref()
}
// `tidings list | head` closes the pipe early, which is no failure. A full disk is one: the answer is lost.
function exitUnwritten(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`The answer could not be written: ${error.message}\n`)
  process.exit(1)
}
process.stdout.on('error', exitUnwritten)

/** The folder for relative paths and the configuration. It may have been removed while a terminal is in it. */
function workingFolder(): string {
  try {
    return process.cwd()
  } catch {
    process.stderr.write('The working folder does not exist any more: go to another one, and try again.\n')
    process.exit(1)
  }
}

const exitCode = await runCli(process.argv.slice(2), {
  version: VERSION,
  env: process.env,
  cwd: workingFolder(),
  pid: process.pid,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  now: () => Date.now(),
  ending: ending.signal,
  // Loaded only if a command needs it: --help and commands for a remote server need not wait for it.
  openApp: async (request) => (await import('./open-app.ts')).openApp(request),
  readList: async (list) => (await import('./open-app/read-list.ts')).readList(list, null),
  migrateStore: async (request) => (await import('./open-app/migrate-store.ts')).migrateStore(request),
})
// Everything must be written before the process exits. If that fails, the stream reports why a moment later.
process.stdout.write('', (error) => (error ? setImmediate(exitUnwritten, error) : process.exit(exitCode)))
