// `key`: the keys of providers such as X, and the master key that encrypts them.

import { randomBytes } from 'node:crypto'
import { Command } from 'commander'
import type { KeyView } from '../../catalogue/shapes/answers.ts'
import { BUILT_IN_TYPES } from '../../domain/built-in-types.ts'
import type { Cli } from '../cli.ts'
import { segment } from '../connection/client.ts'
import { findUser, userPath } from '../connection/find-by-name.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import { printable } from '../terminal/output.ts'
import { readSecret } from '../terminal/read-secret.ts'
import { rotateCommand } from './key-rotate.ts'

interface KeyOptions extends CommonOptions {
  readonly user?: string
}

export function keyCommand(cli: Cli): Command {
  const key = new Command('key').description('provider keys of users, and the master key that encrypts them')
  for (const sub of [setKey(cli), keyStatus(cli), removeKey(cli), rotateCommand(cli), generateKey(cli)])
    key.addCommand(sub)
  return key
}

function setKey(cli: Cli): Command {
  return ofProvider('set')
    .description('store a key, read from standard input')
    .addHelpText('after', '\nExample:\n  tidings key set x --user default < key.txt')
    .action(
      cli.withClient(async ({ client, output, context }, { user }: KeyOptions, provider: string) => {
        const { id } = await findUser(client, user)
        const apiKey = await readSecret(context, `Key for ${provider} (not shown)`, 'tidings key set x < key.txt')
        await client.put(pathOf(id, provider), { apiKey })
        output.answer(
          { provider, configured: true },
          () => `The ${printable(provider)} key of ${printable(user ?? id)} is stored`,
        )
      }),
    )
}

function keyStatus(cli: Cli): Command {
  return ofProvider('status')
    .description('show whether a key is stored, never the key itself')
    .action(
      cli.withClient(async ({ client, output }, { user }: KeyOptions, provider: string) => {
        const { id } = await findUser(client, user)
        const key = await client.get<KeyView>(pathOf(id, provider))
        const words = key.configured ? `set, last changed ${output.time(key.updatedAt)}` : 'not set'
        output.answer(key, () => `The ${printable(provider)} key of ${printable(user ?? id)} is ${words}`)
      }),
    )
}

function removeKey(cli: Cli): Command {
  return ofProvider('remove')
    .description('delete a key')
    .action(
      cli.withClient(async ({ client, output }, { user }: KeyOptions, provider: string) => {
        const { id } = await findUser(client, user)
        await client.delete(pathOf(id, provider))
        output.answer(
          { provider, configured: false },
          () => `The ${printable(provider)} key of ${printable(user ?? id)} is removed`,
        )
      }),
    )
}

function generateKey(cli: Cli): Command {
  return new Command('generate')
    .description('print a new master key for app.encryption.master-key; stores nothing')
    .option('--json', 'print JSON instead of text')
    .action(
      cli.withoutClient(async (output, _options: CommonOptions) => {
        const masterKey = randomBytes(32).toString('base64')
        output.answer({ masterKey }, () => masterKey)
      }),
    )
}

function ofProvider(name: string): Command {
  return withCommonOptions(new Command(name))
    .argument('<provider>', BUILT_IN_TYPES.keyProviders.join(' or '))
    .option('--user <id or name>', 'user of the key (default: the default user, or the only one that you may see)')
}

function pathOf(userId: string, provider: string): string {
  return `${userPath(userId)}/keys/${segment(provider)}`
}
