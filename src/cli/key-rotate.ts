// Re-encrypts every stored secret under a new master key. Interrupted, the same command goes on where it stopped.
// It works on the store itself, so no `serve` may be at work on it.
import { Command } from 'commander'
import type { Cli } from './cli.ts'
import { badUsage, CliFailure } from './failure.ts'
import { type CommonOptions, withStoreOptions } from './options.ts'
import { readSecret } from './read-secret.ts'
import type { RotatedKey, World } from './world.ts'

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
      cli.withClient(async ({ connection, output, world }, _options: CommonOptions) => {
        if (!connection.app) {
          throw new CliFailure(
            'Run this where the store is, while no tidings serve works on it: it would go on with the old key.',
          )
        }
        const rotated = await connection.app.rotateMasterKey(() => newKey(world))
        if (rotated === 'no-key') {
          throw new CliFailure('There is no master key to rotate: app.encryption.master-key is not set.')
        }
        output.answer({ resealed: rotated.resealed, unreadable: rotated.unreadable.length }, () => wordsOf(rotated))
        return rotated.unreadable.length > 0 ? 1 : 0
      }),
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
