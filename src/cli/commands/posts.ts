// `posts`: shows the newest posts of one podcast or of all.
import { Command, Option } from 'commander'
import type { PostView } from '../../catalogue/shapes/answers.ts'
import type { Cli } from '../cli.ts'
import { findPodcast } from '../connection/find-by-name.ts'
import { badUsage } from '../failure.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import { sinceOption } from '../terminal/instants.ts'
import { wholeNumber } from '../terminal/numbers.ts'
import type { Column } from '../terminal/table.ts'

interface PostsOptions extends CommonOptions {
  readonly since?: string
  readonly podcast?: string
  readonly search?: string
  readonly sort?: 'newest' | 'relevance'
  readonly limit: number
}

export function postsCommand(cli: Cli): Command {
  return withCommonOptions(new Command('posts'))
    .description('list the newest posts')
    .option(
      '--since <instant>',
      'only posts stored since then, such as 2h, 3d, 2026-01-31 or 2026-01-31T08:00:00Z',
      sinceOption(cli.context.now),
    )
    .option('--podcast <id or name>', 'only of this podcast')
    .option('--search <text>', 'only posts with these words')
    .addOption(
      new Option('--sort <order>', 'newest first, or with --search the best first').choices(['newest', 'relevance']),
    )
    .option('--limit <number>', 'how many at most', wholeNumber, 50)
    .addHelpText(
      'after',
      '\nExamples:\n  tidings posts --limit 10\n  tidings posts --since 2h\n  tidings posts --since 2026-01-31 --json',
    )
    .action(
      cli.withClient(async ({ client, output }, { since, podcast, search, sort, limit }: PostsOptions) => {
        if (sort === 'relevance' && search === undefined) throw badUsage('--sort relevance needs --search.')
        // What all podcasts have, in the order of the server.
        const path = podcast === undefined ? '/api' : (await findPodcast(client, podcast)).path
        const found = await client.all<PostView>(`${path}/posts`, { since, q: search, sort }, limit)
        output.list(
          found,
          COLUMNS,
          (post) => [output.time(post.createdAt), output.time(post.publishedAt), post.title, post.url],
          since === undefined && search === undefined ? NO_POSTS : 'No posts match.',
        )
      }),
    )
}

const NO_POSTS = 'No posts yet. "tidings status" shows whether sources are polled.'

const COLUMNS: readonly Column[] = [
  { title: 'STORED', fixed: true, drop: 2 },
  { title: 'DATED', fixed: true, drop: 1 },
  { title: 'TITLE', wraps: true },
  { title: 'URL', below: true },
]
