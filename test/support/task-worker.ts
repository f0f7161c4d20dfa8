// A worker whose tasks misbehave on demand, for the pool's tests.
import { serveTasks } from '../../src/workers/serve-tasks.ts'

serveTasks({
  echo: (payload: unknown) => payload,
  size: ({ bytes }: { bytes: Uint8Array }) => bytes.length,
  throw: () => {
    throw Object.assign(new Error('There is nothing to read'), { code: 'not-a-feed' })
  },
  hang: () => {
    for (;;);
  },
  exit: () => process.exit(3),
  'throw-later': () => {
    setTimeout(() => {
      throw new Error('out of nowhere')
    })
    return new Promise(() => {})
  },
  'eat-memory': () => {
    const hoard: number[][] = []
    for (;;) hoard.push(new Array(100_000).fill(hoard.length))
  },
  unclonable: () => () => {},
})
