// Keeps the memory of commands that run for long small. By default V8 lets garbage grow to several times what is in use
// before it collects it. That suits programs that end soon.
// See docs/decisions/0195-processes-that-run-for-long-use-less-memory.md
import { setFlagsFromString } from 'node:v8'

const LASTING = ['serve', 'worker']

/** V8 reads it when it starts, so the process has to start again with it. */
const YOUNG_GENERATION = '--max-semi-space-size'
/** How much the rest may grow between two collections, in percent. V8 reads it at each of them. */
const GROWTH = '--heap-growing-percent'

/** Flags for Node, if the command is one that runs for long and nobody chose other ones. */
export function smallMemoryFlags(command) {
  const given = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? '').split(/\s+/)]
  const isChosen = given.some((flag) => flag.replaceAll('_', '-').startsWith(YOUNG_GENERATION))
  return LASTING.includes(command) && !isChosen ? [`${YOUNG_GENERATION}=8`] : []
}

/** Does not return if this process starts again: it keeps its id, its streams and its place in the system. */
export function keepMemorySmall(command) {
  if (!LASTING.includes(command)) return
  const flags = smallMemoryFlags(command)
  // Windows has no execve. The channel of a parent process would not survive it.
  if (flags.length > 0 && process.execve && process.platform !== 'win32' && !process.connected) {
    // Threads of glibc would each keep freed memory for themselves.
    const env = { MALLOC_ARENA_MAX: '2', ...process.env }
    process.execve(process.execPath, [process.argv0, ...process.execArgv, ...flags, ...process.argv.slice(1)], env)
  }
  setFlagsFromString(`${GROWTH}=60`)
}
