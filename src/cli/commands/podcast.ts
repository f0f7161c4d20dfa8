// `podcast`: creates, lists, renames and removes podcasts, which hold the sources.
import { Command } from 'commander'
import type { PodcastView } from '../../catalogue/shapes/answers.ts'
import type { Cli } from '../cli.ts'
import { allPodcasts, findPodcast, findUser, sourcesIn, userPath } from '../connection/find-by-name.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import { askFirst, withYesOption, type YesOption } from '../terminal/confirm.ts'
import { printable } from '../terminal/output.ts'

interface UserOption extends CommonOptions {
  readonly user?: string
}

export function podcastCommand(cli: Cli): Command {
  const podcast = new Command('podcast').description('podcasts, which hold sources: create, list, rename, remove')
  for (const sub of [listPodcasts(cli), createPodcast(cli), renamePodcast(cli), removePodcast(cli)]) {
    podcast.addCommand(sub)
  }
  return podcast
}

function listPodcasts(cli: Cli): Command {
  return withCommonOptions(new Command('list'))
    .description('list all podcasts')
    .action(
      cli.withClient(async ({ client, output }, _options: CommonOptions) => {
        const found = await allPodcasts(client)
        const columns = [
          { title: 'ID', fixed: true as const },
          { title: 'NAME', key: true as const },
          { title: 'OWNER' },
          { title: 'TOPIC' },
        ]
        const row = (each: PodcastView) => [each.id, each.name, each.userId, each.topic ?? '']
        output.list(
          found.map(({ podcast }) => podcast),
          columns,
          row,
          'No podcasts. Create one with: tidings podcast create NAME',
        )
      }),
    )
}

function createPodcast(cli: Cli): Command {
  return withCommonOptions(new Command('create'))
    .description('add a podcast')
    .argument('<name>', 'name of the podcast')
    .option('--user <id or name>', 'its owner (default: the default user, or the only one that you may see)')
    .addHelpText(
      'after',
      '\nExample:\n  tidings podcast create Evening\n  tidings add https://example.org/ --podcast Evening',
    )
    .action(
      cli.withClient(async ({ client, output }, { user }: UserOption, name: string) => {
        const { id } = await findUser(client, user)
        const created = await client.post<PodcastView>(`${userPath(id)}/podcasts`, { name })
        output.answer(created, () => `Podcast ${printable(created.name)} has the id ${printable(created.id)}`)
      }),
    )
}

function renamePodcast(cli: Cli): Command {
  return withCommonOptions(new Command('rename'))
    .description('rename a podcast')
    .argument('<podcast>', 'id or name')
    .argument('<name>', 'the new name')
    .action(
      cli.withClient(async ({ client, output }, _options: CommonOptions, typed: string, name: string) => {
        const { path, podcast } = await findPodcast(client, typed)
        const renamed = await client.patch<PodcastView>(path, { name })
        output.answer(renamed, () => `Podcast ${printable(podcast.name)} is now called ${printable(renamed.name)}`)
      }),
    )
}

function removePodcast(cli: Cli): Command {
  return withYesOption(withCommonOptions(new Command('remove')))
    .description('remove a podcast with its sources, posts and articles; asks first on a terminal')
    .argument('<podcast>', 'id or name')
    .action(
      cli.withClient(async ({ client, output, context }, options: CommonOptions & YesOption, typed: string) => {
        const found = await findPodcast(client, typed)
        const { id, name } = found.podcast
        const { length } = await sourcesIn(client, [found])
        const question = `Remove the podcast ${printable(name)} with its ${length} sources and their posts?`
        await askFirst(context, options, question)
        await client.delete(found.path)
        output.answer({ id, removed: true }, () => `Podcast ${printable(name)} is removed`)
      }),
    )
}
