// The doctor's look at the store, through the same door as every command: a `serve` if one runs, else this process.
import type { HostView } from '../../catalogue/shapes/polling-answers.ts'
import { isNullLane, isOwnerLane } from '../../domain/lane.ts'
import type { OpenedApp, World } from '../command-context.ts'
import { Client } from '../connection/client.ts'
import { type Connection, connect, serverOf } from '../connection/connect.ts'
import { DAMAGED_REMEDY, isDamaged } from '../connection/damaged-store.ts'
import { postgresRemedy } from '../connection/postgres-remedy.ts'
import { Unreachable } from '../failure.ts'
import type { CommonOptions } from '../options.ts'
import { type Finding, ill, well } from './finding.ts'

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
    return unwell(openingTrouble(error as Error))
  }
  try {
    return await askStore(connection)
  } catch (error) {
    return unwell([askingTrouble(error as Error, serverOf(world, options) !== undefined)])
  } finally {
    await connection.close()
  }
}

function unwell(findings: readonly Finding[]): StoreFindings {
  return { findings, hosts: [], lastTickAt: null }
}

function openingTrouble(error: Error): Finding[] {
  const { code, found, known } = (error.cause ?? {}) as { code?: string; found?: number; known?: number }
  if (code === 'newer-schema') {
    const told = `schema ${found}, written by a newer version of Tidings; this one knows ${known}`
    const remedy = 'Run the newer Tidings that wrote it, or restore a backup from before the upgrade.'
    return [well('database', 'the store opens'), ill('migrations', told, remedy)]
  }
  // What it found stands in the message already, with what to do.
  if (isDamaged(error.cause)) {
    return [ill('database', error.message.replace(` ${DAMAGED_REMEDY}`, ''), DAMAGED_REMEDY)]
  }
  const remedy = postgresRemedy(error.cause)
  if (remedy !== null) return [ill('database', error.message.replace(` ${remedy}`, ''), remedy)]
  const elsewise = 'Check app.database.url, the rights on the folder, and that the database server runs.'
  return [ill('database', error.message, elsewise)]
}

function askingTrouble(error: Error, isNamed: boolean): Finding {
  if (!(error instanceof Unreachable)) {
    return ill('database', error.message, 'Look into the log of the tidings that answered.')
  }
  const remedy = isNamed
    ? 'Start tidings serve there, or correct --server (TIDINGS_SERVER).'
    : 'The tidings serve of this store does not answer: look into its log, or start it anew.'
  return ill('server', `nothing answers: ${error.message}`, remedy)
}

/** Only who opened the store knows: the key of a `serve` is its own. */
function secretsOf({ unreadable }: OpenedApp): Finding {
  return unreadable ? ill('secrets', unreadable.found, unreadable.remedy) : well('secrets', 'all of them can be read')
}

async function askStore({ transport, app, where }: Connection): Promise<StoreFindings> {
  const client = new Client(transport)
  await client.ask({ method: 'GET', path: '/readyz' })
  const hosts = await client.all<HostView>('/api/hosts', {}, 50)
  const status = await client.get<{ scheduler?: { lastTickAt?: string | null } }>('/api/status')
  const lastTickAt = Date.parse(status.scheduler?.lastTickAt ?? '')
  // A store that opened has all migrations: they run before anything else.
  const schema = app ? `, schema ${await app.store.schemaVersion()}` : ''
  const findings = [well('database', `${where} answers`), well('migrations', `complete${schema}`)]
  return {
    findings: app ? [...findings, secretsOf(app)] : findings,
    hosts: hosts.map(({ host }) => host).filter((host) => !isNullLane(host) && !isOwnerLane(host)),
    lastTickAt: Number.isNaN(lastTickAt) ? null : lastTickAt,
  }
}
