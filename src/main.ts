// The process: argv to command, signals to an orderly end, exit code out. Nothing else handles signals or exits.
import { runCli } from './cli/program.ts'
import { VERSION } from './version.ts'

// A terminal and a launcher may both deliver one Ctrl-C; a person's second one comes later.
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
// The launcher of another Node version was killed: nobody is left who could end us.
if (process.connected) {
  process.channel?.unref()
  process.on('disconnect', () => process.exit(1))
}
// npm hands a signal to the shell it runs scripts in, which dies of it and tells nobody.
if (process.env.npm_lifecycle_event !== undefined && process.platform !== 'win32') {
  const shell = process.ppid
  const watching = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(watching)
    end()
  }, PARENT_WATCH_MS)
  watching.unref()
}
// `tidings list | head` closes the pipe early; that is no failure. A full disk is: the answer did not arrive.
function endUnheard(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`The answer could not be written: ${error.message}\n`)
  process.exit(1)
}
process.stdout.on('error', endUnheard)

/** Relative paths and the configuration begin there; it may have been removed under the terminal that stands in it. */
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
  // Only when a command needs it: asking for help or a remote server must not wait for all of the product to load.
  openApp: async (request) => (await import('./open-app.ts')).openApp(request),
})
// What was written must be out before the process is. When it is not, the stream tells what happened a moment later.
process.stdout.write('', (error) => (error ? setImmediate(endUnheard, error) : process.exit(exitCode)))
