// Re-encrypts every stored secret under a new master key. Interrupted, the same command goes on where it stopped.
// It works on the store itself, so no `serve` and no `worker` may be at work on it.
import { Command } from 'commander'
import type { Cli, Session } from '../cli.ts'
import type { RotatedKey, World } from '../command-context.ts'
import { badUsage, CliFailure } from '../failure.ts'
import { type CommonOptions, withStoreOptions } from '../options.ts'
import { ago } from '../terminal/output.ts'
import { readSecret } from '../terminal/read-secret.ts'

/** Two passes of the scheduler, by default. */
const RECENTLY_MS = 120_000

const HELP = `
With a key file (SQLite, nothing configured) the new key is made and put in place of the old one. Secrets in backups
made before open with the old key only: keep a copy of it with them.
With app.encryption.master-key the new key is read from standard input, and the old one is the configured one:

  tidings key generate > new.key
  tidings key rotate < new.key        then set app.encryption.master-key to what is in new.key`

export function rotateCommand(cli: Cli): Command {
  return withStoreOptions(new Command('rotate'))
    .description('encrypt all stored secrets under a new master key')
    .addHelpText('after', HELP)
    .action(
      cli.withClient(async ({ client, connection, output, world }, _options: CommonOptions) => {
        if (!connection.app) {
          throw new CliFailure(
            'Run this where the store is, while no tidings serve works on it: it would go on with the old key.',
          )
        }
        await warnOfOthers({ client, connection, output, world })
        const rotated = await connection.app.rotateMasterKey(() => newKey(world))
        if (rotated === 'no-key') {
          throw new CliFailure('There is no master key to rotate: app.encryption.master-key is not set.')
        }
        output.answer({ resealed: rotated.resealed, unreadable: rotated.unreadable.length }, () => wordsOf(rotated))
        return rotated.unreadable.length > 0 ? 1 : 0
      }),
    )
}

/** A lock keeps `serve` off an SQLite file; of others on PostgreSQL only their ticks tell. */
async function warnOfOthers({ client, connection, output, world }: Session): Promise<void> {
  if (connection.app?.store.engine !== 'postgres') return
  const { scheduler } = await client.get<{ scheduler: { lastTickAt: string | null } }>('/api/status')
  if (scheduler.lastTickAt === null || world.now() - Date.parse(scheduler.lastTickAt) > RECENTLY_MS) return
  output.note(
    `The last tick was ${ago(scheduler.lastTickAt, world.now())}. A serve or worker that still runs cannot read the secrets from now on, and stores new ones under the old key: end all of them, give them the new key, and start them again.`,
  )
}

async function newKey(world: World): Promise<Buffer> {
  const typed = await readSecret(world, 'New master key (not shown)', 'tidings key rotate < new.key')
  const key = Buffer.from(typed, 'base64')
  if (key.length !== 32) throw badUsage('The new key on standard input is not base64 of 32 bytes.')
  return key
}

function wordsOf({ resealed, unreadable }: RotatedKey): string {
  const left = unreadable.length === 0 ? '' : `; ${unreadable.length} could not be read and were left as they are`
  return `${resealed} secrets are now under the new key${left}`
}
