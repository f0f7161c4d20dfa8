// Checks of the store, through the connection that every command uses: a running `serve`, or this process.
import type { HostView } from '../../catalogue/shapes/polling-answers.ts'
import { isNullLane, isOwnerLane } from '../../domain/lane.ts'
import type { CommandContext, OpenedApp } from '../command-context.ts'
import { Client } from '../connection/client.ts'
import { type Connection, connect, namedServer } from '../connection/connect.ts'
import { DAMAGED_REMEDY, isDamaged } from '../connection/damaged-store.ts'
import { postgresRemedy } from '../connection/postgres-remedy.ts'
import { Unreachable } from '../failure.ts'
import type { CommonOptions } from '../options.ts'
import { checkPolling } from './check-polling.ts'
import { type Finding, failed, passed } from './finding.ts'

export interface StoreFindings {
  readonly findings: readonly Finding[]
  readonly hosts: readonly string[]
  readonly lastTickAt: number | null
  /** Whether a running tidings serve answered. */
  readonly isServing: boolean
}

export async function checkStore(context: CommandContext, options: CommonOptions): Promise<StoreFindings> {
  let connection: Connection
  try {
    connection = await connect(context, options)
  } catch (error) {
    return onlyFindings(openFailure(error as Error))
  }
  try {
    return await askStore(connection, context.now())
  } catch (error) {
    return onlyFindings([requestFailure(error as Error, namedServer(context, options) !== undefined)])
  } finally {
    await connection.close()
  }
}

function onlyFindings(findings: readonly Finding[]): StoreFindings {
  return { findings, hosts: [], lastTickAt: null, isServing: false }
}

function openFailure(error: Error): Finding[] {
  const { code, found, known } = (error.cause ?? {}) as { code?: string; found?: number; known?: number }
  if (code === 'newer-schema') {
    const told = `schema ${found}, written by a newer version of Tidings; this one knows ${known}`
    const remedy = 'Run the newer Tidings that wrote it, or restore a backup from before the upgrade.'
    return [passed('database', 'the store opens'), failed('migrations', told, remedy)]
  }
  // The message contains the remedy, which is shown separately.
  if (isDamaged(error.cause)) {
    return [failed('database', error.message.replace(` ${DAMAGED_REMEDY}`, ''), DAMAGED_REMEDY)]
  }
  const remedy = postgresRemedy(error.cause)
  if (remedy !== null) return [failed('database', error.message.replace(` ${remedy}`, ''), remedy)]
  const generalRemedy = 'Check app.database.url, the rights on the folder, and that the database server runs.'
  return [failed('database', error.message, generalRemedy)]
}

function requestFailure(error: Error, isNamed: boolean): Finding {
  if (!(error instanceof Unreachable)) {
    return failed('database', error.message, 'See the log of the tidings that answered.')
  }
  const remedy = isNamed
    ? 'Start tidings serve there, or correct --server (TIDINGS_SERVER).'
    : 'The tidings serve of this store does not answer: see its log, or restart it.'
  return failed('server', `nothing answers: ${error.message}`, remedy)
}

/** Known only if this process opened the store: a `serve` has its own master key. */
function secretsOf({ unreadable }: OpenedApp): Finding {
  return unreadable ? failed('secrets', unreadable.found, unreadable.remedy) : passed('secrets', 'all can be read')
}

async function askStore({ transport, app, where }: Connection, now: number): Promise<StoreFindings> {
  const client = new Client(transport)
  await client.ask({ method: 'GET', path: '/readyz' })
  const hosts = await client.all<HostView>('/api/hosts', {}, 50)
  const status = await client.get<{ scheduler?: { lastTickAt?: string | null }; clockDoubtedSince?: string | null }>(
    '/api/status',
  )
  const lastTickAt = Date.parse(status.scheduler?.lastTickAt ?? '')
  // A store that opened has all migrations, because they run first.
  const schema = app ? `, schema ${await app.store.schemaVersion()}` : ''
  const findings = [passed('database', `${where} answers`), passed('migrations', `complete${schema}`)]
  return {
    findings: [
      ...findings,
      ...(app ? [secretsOf(app)] : []),
      ...clockJump(status.clockDoubtedSince ?? null),
      ...(await checkPolling(client, now)),
    ],
    hosts: hosts.map(({ host }) => host).filter((host) => !isNullLane(host) && !isOwnerLane(host)),
    lastTickAt: Number.isNaN(lastTickAt) ? null : lastTickAt,
    isServing: app === null,
  }
}

function clockJump(doubtedSince: string | null): Finding[] {
  if (doubtedSince === null) return []
  const found = `it jumped by days at ${doubtedSince}, so nothing is deleted by age for now`
  return [failed('clock jump', found, 'Correct the clock of this machine. A right clock is trusted again by itself.')]
}
