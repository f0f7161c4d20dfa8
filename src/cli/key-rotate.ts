// Re-encrypts every stored secret under a new master key. Interrupted, the same command goes on where it stopped.
// It works on the store itself, so no `serve` may be at work on it.
import { dirname } from 'node:path'
import { Command } from 'commander'
import { databaseOf } from '../config.ts'
import { Problem } from '../domain/problem.ts'
import { keyFileIn } from '../secrets/key-file.ts'
import { type Rotated, rotateKey } from '../secrets/rotate-key.ts'
import { createSecrets, secretsUnder } from '../secrets/secrets.ts'
import type { Cli, Session } from './cli.ts'
import { resolvedConfig } from './connect.ts'
import { badUsage, CliFailure } from './failure.ts'
import { type CommonOptions, withStoreOptions } from './options.ts'
import { readSecret } from './read-secret.ts'
import { trueName } from './serve-lock.ts'
import type { OpenedApp } from './world.ts'

const HELP = `
With a key file (SQLite, nothing configured) the new key is made and put in place of the old one.
With app.encryption.master-key the new key is read from standard input, and the old one is the configured one:

  tidings key generate > new.key
  tidings key rotate < new.key        then set app.encryption.master-key to what is in new.key`

export function rotateCommand(cli: Cli): Command {
  return withStoreOptions(new Command('rotate'))
    .description('encrypt all stored secrets under a new master key')
    .addHelpText('after', HELP)
    .action(
      cli.withClient(async (session, options: CommonOptions) => {
        const { app } = session.connection
        if (!app) throw new CliFailure('Stop the running tidings serve first: it would go on with the old key.')
        const rotated = await rotate(session, app, options)
        const { resealed, unreadable } = rotated
        session.output.answer({ resealed, unreadable: unreadable.length }, () => wordsOf(rotated))
        return unreadable.length > 0 ? 1 : 0
      }),
    )
}

async function rotate({ world }: Session, app: OpenedApp, options: CommonOptions): Promise<Rotated> {
  const { config } = resolvedConfig(world, options)
  const { masterKey } = config.encryption
  const database = databaseOf(config.database.url)
  if (masterKey !== null) {
    const from = createSecrets({ masterKey, engine: app.store.engine, dataDir: null })
    const next = Buffer.from(await readSecret(world, 'New master key (not shown)'), 'base64')
    if (next.length !== 32) throw badUsage('The new key on standard input is not base64 of 32 bytes.')
    return rotateKey({ store: app.store, from, to: secretsUnder(next) })
  }
  if (database?.engine !== 'sqlite' || database.path === ':memory:') {
    throw new Problem('secrets-unavailable', 'There is no master key to rotate: app.encryption.master-key is not set.')
  }
  const dataDir = dirname(trueName(database.path))
  const file = keyFileIn(dataDir)
  const next = await file.readOrMakeNext()
  const from = createSecrets({ masterKey: null, engine: 'sqlite', dataDir })
  const rotated = await rotateKey({ store: app.store, from, to: secretsUnder(next) })
  await file.adoptNext()
  return rotated
}

function wordsOf({ resealed, unreadable }: Rotated): string {
  const left = unreadable.length === 0 ? '' : `; ${unreadable.length} could not be read and were left as they are`
  return `${resealed} secrets are now under the new key${left}`
}
