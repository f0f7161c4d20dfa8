// The doctor's look at the store, through the same door as every command: a `serve` if one runs, else this process.
import type { HostView } from '../catalogue/answers.ts'
import { Client } from './client.ts'
import { type Connection, connect } from './connect.ts'
import { type Finding, ill, well } from './finding.ts'
import type { CommonOptions } from './options.ts'
import type { World } from './world.ts'

export interface StoreFindings {
  readonly findings: readonly Finding[]
  readonly hosts: readonly string[]
  readonly lastTickAt: number | null
}

export async function checkStore(world: World, options: CommonOptions): Promise<StoreFindings> {
  let connection: Connection
  try {
    connection = await connect(world, options)
  } catch (error) {
    const remedy = 'Check app.database.url, the rights on the folder, and that the database server runs.'
    return { findings: [ill('database', (error as Error).message, remedy)], hosts: [], lastTickAt: null }
  }
  try {
    return await askStore(connection)
  } catch (error) {
    const remedy = 'Look into the log of the tidings that answered.'
    return { findings: [ill('database', (error as Error).message, remedy)], hosts: [], lastTickAt: null }
  } finally {
    await connection.close()
  }
}

async function askStore({ transport, app, where }: Connection): Promise<StoreFindings> {
  const client = new Client(transport)
  await client.ask({ method: 'GET', path: '/readyz' })
  const hosts = await client.all<HostView>('/api/hosts', {}, 50)
  const status = await client.get<{ scheduler?: { lastTickAt?: string | null } }>('/api/status')
  const lastTickAt = Date.parse(status.scheduler?.lastTickAt ?? '')
  // A store that opened has all migrations: they run before anything else.
  const schema = app ? `, schema ${await app.store.schemaVersion()}` : ''
  return {
    findings: [well('database', `${where} answers`), well('migrations', `complete${schema}`)],
    hosts: hosts.map(({ host }) => host).filter((host) => host !== '' && !host.startsWith('x:')),
    lastTickAt: Number.isNaN(lastTickAt) ? null : lastTickAt,
  }
}
