// What a benchmark needs to run like `serve`: the memory settings of bin/small-memory.js, and compiled code that is kept.
import { fileURLToPath } from 'node:url'

export const AS_SERVE = {
  flags: ['--max-semi-space-size=8', '--heap-growing-percent=60'],
  env: {
    MALLOC_ARENA_MAX: '2',
    NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)),
  },
} as const
