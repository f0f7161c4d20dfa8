// node --import ./bench/crashes/crash-points.ts: the process is killed by SIGKILL when it comes to the point that
// CRASH_AT names, for the time that CRASH_AFTER says. The points are put in while the modules are loaded: the product
// itself knows nothing of them.
import { registerHooks } from 'node:module'

interface CrashPoint {
  readonly name: string
  /** Of src/. */
  readonly file: string
  /** The process dies before this. */
  readonly before: string
}

export const CRASH_POINTS: readonly CrashPoint[] = [
  {
    name: 'the host is reserved, nothing is sent',
    file: 'polling/visit/visit.ts',
    before: 'result = await fetcher.fetch({',
  },
  { name: 'the answer is here, nothing is read', file: 'polling/visit/visit.ts', before: "if ('wireBytes' in result)" },
  {
    name: 'posts are chosen, nothing is written',
    file: 'polling/poll/poll-source.ts',
    before: 'const recorded = await recordFindings(',
  },
  {
    name: 'source and host are written, posts are not',
    file: 'storage/polling/record-poll.ts',
    before: 'const lastPostId = await insertPosts(',
  },
  {
    name: 'all is written, nothing is committed',
    file: 'storage/polling/record-poll.ts',
    before: "return { kind: 'recorded', record: written.poll",
  },
  {
    name: 'all is committed, nobody knows',
    file: 'polling/poll/poll-source.ts',
    before: 'deps.wakePages(lanesOfPages(findings.posts))',
  },
]

const point = CRASH_POINTS.find(({ name }) => name === process.env.CRASH_AT)
if (point) {
  Object.assign(globalThis, { crashesLeft: Number(process.env.CRASH_AFTER ?? 1) })
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.endsWith(`/src/${point.file}`)) return loaded
      const code = String(loaded.source)
      if (!code.includes(point.before)) throw new Error(`${point.file} does not contain ${point.before}`)
      const die = "if (--globalThis.crashesLeft === 0) process.kill(process.pid, 'SIGKILL');"
      return { ...loaded, source: code.replace(point.before, () => `${die} ${point.before}`) }
    },
  })
}
