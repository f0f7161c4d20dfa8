// `articles`: a consumer's loop. It lists articles, makes them from new posts, and marks them as processed.
import { Command, InvalidArgumentError } from 'commander'
import type { ArticleView } from '../../catalogue/shapes/answers.ts'
import type { Cli } from '../cli.ts'
import { type Client, RefusedRequest, segment } from '../connection/client.ts'
import { type FoundPodcast, findPodcast, findPodcasts } from '../connection/find-by-name.ts'
import { CliFailure } from '../failure.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import { wholeNumber } from '../terminal/numbers.ts'
import { type Output, printable } from '../terminal/output.ts'
import type { Column } from '../terminal/table.ts'
import { refuseUnknownSubcommand } from '../usage.ts'

interface ArticlesOptions extends CommonOptions {
  readonly podcast?: string
  readonly unprocessed?: boolean
  readonly limit: number
  readonly window?: number
}

const EXAMPLES = `
Examples:
  tidings articles make                 makes articles from what came in
  tidings articles --unprocessed        shows what is still to be read
  tidings articles done 41 42           marks them as processed`

export function articlesCommand(cli: Cli): Command {
  return refuseUnknownSubcommand(ofPodcast('articles', 'only of this podcast'))
    .description('articles made from posts: list, make, mark as processed')
    .option('--unprocessed', 'only those that are not processed yet')
    .option('--limit <number>', 'how many at most', wholeNumber, 50)
    .addHelpText('after', EXAMPLES)
    .addCommand(makeArticles(cli))
    .addCommand(markDone(cli))
    .action(
      cli.withClient(async ({ client, output }, { podcast, unprocessed, limit }: ArticlesOptions) => {
        const podcasts = await findPodcasts(client, podcast)
        const query = unprocessed ? { processed: false } : {}
        const lists = await Promise.all(
          podcasts.map(({ path }) => client.all<ArticleView>(`${path}/articles`, query, limit)),
        )
        const newest = lists.flat().sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
        const shown = podcasts.length > 1 ? newest.slice(0, limit) : (lists[0] ?? [])
        listArticles(output, shown, 'No articles. Make them from posts with: tidings articles make')
      }),
    )
}

function makeArticles(cli: Cli): Command {
  return ofPodcast('make', 'podcast of the posts (default: the default one)')
    .description('make articles from the posts that came in, and show them')
    .option('--window <days>', 'only posts that came in during the last DAYS days', numberOfDays)
    .action(
      cli.withClient(async ({ client, output }, { podcast, window }: ArticlesOptions) => {
        const { path } = await findPodcast(client, podcast)
        const body = window === undefined ? {} : { windowDays: window }
        const made = await client.post<{ created: ArticleView[]; waiting?: number }>(`${path}/articles`, body)
        if (made.waiting) output.note(`${made.waiting} posts wait for their full text.`)
        if (output.isJson) output.answer(made, () => '')
        else listArticles(output, made.created, 'No new articles: no posts came in since the last time.')
      }),
    )
}

function markDone(cli: Cli): Command {
  return ofPodcast('done', 'podcast of the articles (default: any)')
    .description('mark articles as processed')
    .argument('<article...>', 'ids of articles')
    .option('--undo', 'mark them as unprocessed again')
    .action(
      cli.withClient(async ({ client, output }, options: ArticlesOptions & { undo?: boolean }, ...ids: string[]) => {
        const podcasts = await findPodcasts(client, options.podcast)
        // All are found first, so that a typing error in the last one changes nothing.
        const found = await Promise.all(ids.map(async (id) => ({ id, path: await podcastOf(client, podcasts, id) })))
        const state = options.undo ? 'unprocessed' : 'processed'
        let updated = 0
        for (const [path, of] of Map.groupBy(found, (each) => each.path)) {
          const marked = { ids: of.map(({ id }) => id) }
          updated += (await client.post<{ updated: number }>(`${path}/articles/${state}`, marked)).updated
        }
        output.answer({ updated }, () => `${updated} ${updated === 1 ? 'article is' : 'articles are'} now ${state}`)
      }),
    )
}

async function podcastOf(client: Client, podcasts: readonly FoundPodcast[], id: string): Promise<string> {
  for (const { path } of podcasts) {
    try {
      await client.get(`${path}/articles/${segment(id)}`)
      return path
    } catch (error) {
      if (!(error instanceof RefusedRequest) || error.status !== 404) throw error
    }
  }
  throw new CliFailure(`There is no article ${printable(id)}. "tidings articles" shows them.`)
}

const COLUMNS: readonly Column[] = [
  { title: 'ID', fixed: true },
  { title: 'DATED', fixed: true },
  { title: 'DONE', fixed: true },
  { title: 'POSTS', align: 'right', fixed: true },
  { title: 'TITLE', wraps: true },
]

function listArticles(output: Output, articles: readonly ArticleView[], none: string): void {
  const row = (article: ArticleView) => [
    article.id,
    output.time(article.publishedAt ?? article.createdAt),
    article.isProcessed ? 'yes' : 'no',
    String(article.postIds.length),
    article.title,
  ]
  output.list(articles, COLUMNS, row, none)
}

function ofPodcast(name: string, about: string): Command {
  return withCommonOptions(new Command(name)).option('--podcast <id or name>', about)
}

function numberOfDays(text: string): number {
  if (!/^\d{1,4}(\.\d+)?$/.test(text)) throw new InvalidArgumentError('expected a number of days.')
  return Number(text)
}
