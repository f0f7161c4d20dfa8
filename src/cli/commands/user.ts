// `user`: creates, lists, renames and removes users, and shows their limits.
import { Command } from 'commander'
import type { LimitView, UserView } from '../../catalogue/shapes/answers.ts'
import type { Cli } from '../cli.ts'
import { findUser, userPath } from '../connection/find-by-name.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import { askFirst, withYesOption, type YesOption } from '../terminal/confirm.ts'
import { printable } from '../terminal/output.ts'

export function userCommand(cli: Cli): Command {
  const user = new Command('user').description('users: create, list, rename, remove, and their limits')
  user.addCommand(
    withCommonOptions(new Command('create'))
      .description('add a user')
      .argument('<name>', 'name of the user')
      .action(
        cli.withClient(async ({ client, output }, _options: CommonOptions, name: string) => {
          const created = await client.post<UserView>('/api/users', { name })
          output.answer(created, () => `User ${printable(created.name)} has the id ${printable(created.id)}`)
        }),
      ),
  )
  user.addCommand(
    withCommonOptions(new Command('list'))
      .description('list all users')
      .action(
        cli.withClient(async ({ client, output }, _options: CommonOptions) => {
          const users = await client.all<UserView>('/api/users')
          const columns = [
            { title: 'ID', fixed: true as const },
            { title: 'NAME', key: true as const },
            { title: 'SINCE' },
          ]
          output.list(users, columns, ({ id, name, createdAt }) => [id, name, output.time(createdAt)], 'No users.')
        }),
      ),
  )
  user.addCommand(
    withCommonOptions(new Command('limits'))
      .description('what a user without admin rights may have, and how much of it is used')
      .argument('<user>', 'id or name')
      .action(
        cli.withClient(async ({ client, output }, _options: CommonOptions, typed: string) => {
          const { id } = await findUser(client, typed)
          const { items } = await client.get<{ items: LimitView[] }>(`${userPath(id)}/limits`)
          const columns = [{ title: 'LIMIT', key: true as const }, { title: 'USED' }, { title: 'AT MOST' }]
          output.list(
            items,
            columns,
            ({ name, used, most }) => [
              name,
              used === null ? '' : String(used),
              most === null ? 'no limit' : String(most),
            ],
            '',
          )
        }),
      ),
  )
  user.addCommand(
    withCommonOptions(new Command('rename'))
      .description('rename a user')
      .argument('<user>', 'id or name')
      .argument('<name>', 'the new name')
      .action(
        cli.withClient(async ({ client, output }, _options: CommonOptions, typed: string, name: string) => {
          const { id } = await findUser(client, typed)
          const renamed = await client.put<UserView>(userPath(id), { name })
          output.answer(renamed, () => `User ${printable(id)} is now called ${printable(renamed.name)}`)
        }),
      ),
  )
  user.addCommand(
    withYesOption(withCommonOptions(new Command('remove')))
      .description('remove a user with all podcasts, sources, posts, tokens and keys; asks first on a terminal')
      .argument('<user>', 'id or name')
      .action(
        cli.withClient(async ({ client, output, context }, options: CommonOptions & YesOption, typed: string) => {
          const { id, name } = await findUser(client, typed)
          const question = `Remove the user ${printable(name)} with all podcasts, sources, posts, tokens and keys?`
          await askFirst(context, options, question)
          await client.delete(userPath(id))
          output.answer({ id, removed: true }, () => `User ${printable(name)} is removed`)
        }),
      ),
  )
  return user
}
