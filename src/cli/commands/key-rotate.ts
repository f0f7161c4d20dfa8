// `key rotate`: encrypts every stored secret under a new master key. If it is interrupted, running it again continues.
// It works on the store itself, so no `serve` and no `worker` may use that store meanwhile.
import { Command } from 'commander'
import type { Cli, Session } from '../cli.ts'
import type { CommandContext, RotatedKey } from '../command-context.ts'
import { badUsage, CliFailure } from '../failure.ts'
import { type CommonOptions, withStoreOptions } from '../options.ts'
import { readSecret } from '../terminal/read-secret.ts'

/** Two intervals of the scheduler, by default. */
const RECENTLY_MS = 120_000

const HELP = `
With a key file (SQLite, no key configured) a new key is generated and replaces
the old one. Secrets in older backups can be read with the old key only: keep a
copy of it with them.

With app.encryption.master-key the new key is read from standard input, and the
configured key is the old one. Afterwards set app.encryption.master-key to what
is in new.key:

  tidings key generate > new.key
  tidings key rotate < new.key`

export function rotateCommand(cli: Cli): Command {
  return withStoreOptions(new Command('rotate'))
    .description('encrypt all stored secrets under a new master key')
    .addHelpText('after', HELP)
    .action(
      cli.withClient(async ({ client, connection, output, context }, _options: CommonOptions) => {
        if (!connection.app) {
          throw new CliFailure(
            'Stop the tidings serve of this store first, and run this on the machine of the store: a running serve would keep using the old key.',
          )
        }
        await warnIfOthersRun({ client, connection, output, context })
        const rotated = await connection.app.rotateMasterKey(() => newKey(context))
        if (rotated === 'no-key') {
          throw new CliFailure('There is no master key to rotate: app.encryption.master-key is not set.')
        }
        output.answer({ resealed: rotated.resealed, unreadable: rotated.unreadable.length }, () => summaryOf(rotated))
        return rotated.unreadable.length > 0 ? 1 : 0
      }),
    )
}

/** A lock keeps `serve` away from an SQLite file. On PostgreSQL only recent ticks show that others run. */
async function warnIfOthersRun({ client, connection, output, context }: Session): Promise<void> {
  if (connection.app?.store.engine !== 'postgres') return
  const { scheduler } = await client.get<{ scheduler: { lastTickAt: string | null } }>('/api/status')
  if (scheduler.lastTickAt === null || context.now() - Date.parse(scheduler.lastTickAt) > RECENTLY_MS) return
  output.note(
    `The last tick was ${output.time(scheduler.lastTickAt)}. If a serve or worker still runs, it cannot read the secrets from now on, and stores new ones under the old key. Stop all of them, set the new key, and start them again.`,
  )
}

async function newKey(context: CommandContext): Promise<Buffer> {
  const typed = await readSecret(context, 'New master key (not shown)', 'tidings key rotate < new.key')
  const key = Buffer.from(typed, 'base64')
  if (key.length !== 32) throw badUsage('The new key on standard input is not base64 of 32 bytes.')
  return key
}

function summaryOf({ resealed, unreadable }: RotatedKey): string {
  const left = unreadable.length === 0 ? '' : `; ${unreadable.length} could not be read and were left as they are`
  return `${resealed} secrets are now under the new key${left}`
}
