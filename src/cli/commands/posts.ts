// `posts`: shows the newest posts of one podcast or of all.
import { Command } from 'commander'
import type { PostView } from '../../catalogue/shapes/answers.ts'
import type { Cli } from '../cli.ts'
import { findPodcasts } from '../connection/find-by-name.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import { sinceOption } from '../terminal/instants.ts'
import { withoutScheme } from '../terminal/layout.ts'
import { wholeNumber } from '../terminal/numbers.ts'
import type { Column } from '../terminal/table.ts'

interface PostsOptions extends CommonOptions {
  readonly since?: string
  readonly podcast?: string
  readonly search?: string
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
    .option('--limit <number>', 'how many at most', wholeNumber, 50)
    .addHelpText(
      'after',
      '\nExamples:\n  tidings posts --limit 10\n  tidings posts --since 2h\n  tidings posts --since 2026-01-31 --json',
    )
    .action(
      cli.withClient(async ({ client, output }, { since, podcast, search, limit }: PostsOptions) => {
        const podcasts = await findPodcasts(client, podcast)
        const query = { since, q: search }
        const lists = await Promise.all(podcasts.map(({ path }) => client.all<PostView>(`${path}/posts`, query, limit)))
        const newest = lists.flat().sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
        output.list(
          podcasts.length > 1 ? newest.slice(0, limit) : (lists[0] ?? []),
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
  { title: 'TITLE' },
  { title: 'URL', shorten: withoutScheme },
]
