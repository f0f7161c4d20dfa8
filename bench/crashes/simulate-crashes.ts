// npm run simulate -- crashes [--kills 200] [--engine sqlite|postgres] [--seed 1]
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../test/support/postgres-server.ts'
import { runCrashes } from './run-crashes.ts'

export async function simulateCrashes(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: {
      kills: { type: 'string', default: '200' },
      engine: { type: 'string', default: 'sqlite' },
      seed: { type: 'string', default: '1' },
    },
  })
  const dir = await mkdtemp(join(tmpdir(), 'tidings-crashes-'))
  const postgres = values.engine === 'postgres' ? await startPostgres() : null
  try {
    const { requests, posts, at, broken } = await runCrashes({
      url: postgres?.url ?? `file:${join(dir, 'tidings.db')}`,
      kills: Number(values.kills),
      seed: Number(values.seed),
      onKill: (kill) => kill % 20 === 19 && console.log(`  ${kill + 1} kills`),
    })
    for (const [where, count] of Object.entries(at)) console.log(`${String(count).padStart(5)}  ${where}`)
    console.log(`${requests} requests, ${posts} posts, ${broken.length} promises broken`)
    for (const text of broken.slice(0, 20)) console.log(`  ${text}`)
    return broken.length === 0
  } finally {
    await postgres?.stop()
    await rm(dir, { recursive: true, force: true })
  }
}
