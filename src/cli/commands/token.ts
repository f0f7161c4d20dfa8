// `token`: creates, lists and revokes API tokens.
import { Command } from 'commander'
import type { NewTokenView, TokenView } from '../../catalogue/shapes/answers.ts'
import type { Cli } from '../cli.ts'
import { segment } from '../connection/client.ts'
import { findUser, userPath } from '../connection/find-by-name.ts'
import { matchOrFail } from '../connection/match-id.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import { printable } from '../terminal/output.ts'

interface TokenOptions extends CommonOptions {
  readonly user?: string
  readonly admin?: boolean
  readonly name: string
  readonly expires?: string
}

export function tokenCommand(cli: Cli): Command {
  const token = new Command('token').description('API tokens: create, list, revoke')
  token.addCommand(createToken(cli))
  token.addCommand(listTokens(cli))
  token.addCommand(revokeToken(cli))
  return token
}

function createToken(cli: Cli): Command {
  return ofUser('create')
    .description('create a token; it is shown only once')
    .option('--admin', 'with admin rights: everything, for all users')
    .option('--name <name>', 'what it is for', 'cli')
    .option('--expires <instant>', 'when it expires, such as 2027-01-31T00:00:00Z')
    .addHelpText('after', '\nExample:\n  export TIDINGS_TOKEN=$(tidings token create --user default --admin)')
    .action(
      cli.withClient(async ({ client, output }, { user, admin, name, expires }: TokenOptions) => {
        const { id } = await findUser(client, user)
        const given = { name, ...(admin ? { admin } : {}), ...(expires === undefined ? {} : { expiresAt: expires }) }
        const created = await client.post<NewTokenView>(`${userPath(id)}/tokens`, given)
        output.note(
          `Token ${printable(created.name)} of user ${printable(user ?? id)}${admin ? ', admin' : ''}. Keep it: it is not shown again.`,
        )
        output.answer(created, () => created.token)
      }),
    )
}

function listTokens(cli: Cli): Command {
  return ofUser('list')
    .description('list the tokens of a user, without their values')
    .action(
      cli.withClient(async ({ client, output }, { user }: TokenOptions) => {
        const { id } = await findUser(client, user)
        const columns = ['ID', 'NAME', 'ADMIN', 'LAST USED', 'EXPIRES'].map((title) => ({ title }))
        const row = (token: TokenView) => [
          token.id,
          token.name,
          token.admin ? 'yes' : 'no',
          output.time(token.lastUsedAt),
          token.expiresAt === null ? 'never' : output.time(token.expiresAt),
        ]
        output.list(await client.all<TokenView>(`${userPath(id)}/tokens`), columns, row, 'No tokens.')
      }),
    )
}

function revokeToken(cli: Cli): Command {
  return ofUser('revoke')
    .description('revoke a token at once')
    .argument('<token>', 'its id')
    .action(
      cli.withClient(async ({ client, output }, { user }: TokenOptions, typed: string) => {
        const { id } = await findUser(client, user)
        const path = `${userPath(id)}/tokens`
        const { id: tokenId } = matchOrFail(TOKEN, (await client.all<TokenView>(path)).map(idOnly), typed)
        await client.delete(`${path}/${segment(tokenId)}`)
        output.answer({ id: tokenId, revoked: true }, () => `Token ${printable(tokenId)} is revoked`)
      }),
    )
}

const TOKEN = { one: 'token', many: 'tokens', listedBy: 'tidings token list' }

/** Tokens are revoked by id: several may have the same name. */
function idOnly({ id }: TokenView): { id: string } {
  return { id }
}

function ofUser(name: string): Command {
  return withCommonOptions(new Command(name)).option(
    '--user <id or name>',
    'user of the token (default: the default user, or the only one that you may see)',
  )
}
