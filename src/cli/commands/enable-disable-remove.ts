// `enable`, `disable` and `remove`: change existing sources.
import { Command } from 'commander'
import type { SourceView } from '../../catalogue/shapes/answers.ts'
import type { Cli, Session } from '../cli.ts'
import { type FoundSource, findSource } from '../connection/find-by-name.ts'
import type { CommonOptions } from '../options.ts'
import { withCommonOptions } from '../options.ts'
import { askFirst, withYesOption, type YesOption } from '../terminal/confirm.ts'
import { type Output, printable } from '../terminal/output.ts'

export function enableCommand(cli: Cli): Command {
  const about = 'poll disabled sources again, and reset their failures'
  return sourcesCommand(cli, 'enable', about, async ({ client, context, output }, { path, source: before }) => {
    const source = await client.patch<SourceView>(path, { enabled: true })
    const words = before.enabled
      ? `was enabled already; ${planOf(source, context.now(), output)}`
      : 'is enabled and due'
    return { json: source, words: `${printable(source.url)} ${words}` }
  })
}

/** For a source that was enabled already and was not changed. */
function planOf({ nextPollAt, consecutiveFailures }: SourceView, now: number, { time }: Pick<Output, 'time'>): string {
  const failing = consecutiveFailures > 0 ? `failing ${consecutiveFailures}x, ` : ''
  if (nextPollAt === null) return `${failing}its first poll is not planned yet`
  return `${failing}${Date.parse(nextPollAt) <= now ? 'due' : `planned ${time(nextPollAt)}`}`
}

export function disableCommand(cli: Cli): Command {
  return sourcesCommand(cli, 'disable', 'stop polling sources; their posts stay', async ({ client }, { path }) => {
    const source = await client.patch<SourceView>(path, { enabled: false })
    return { json: source, words: `${printable(source.url)} is disabled` }
  })
}

export function removeCommand(cli: Cli): Command {
  const about = 'remove sources with all their posts and articles; asks first on a terminal'
  const remove: Act = async ({ client }, { path, source }) => {
    await client.delete(path)
    return { json: { id: source.id, removed: true }, words: `${printable(source.url)} is removed` }
  }
  const command = sourcesCommand(cli, 'remove', about, remove, ({ context }, targets, options) =>
    askFirst(context, options, removalQuestion(targets)),
  )
  return withYesOption(command)
}

function removalQuestion(targets: readonly FoundSource[]): string {
  const posts = targets.reduce((sum, { source }) => sum + source.postCount, 0)
  const [only, ...others] = targets.map(({ source }) => printable(source.url))
  const what = others.length === 0 ? only : `${targets.length} sources`
  return `Remove ${what} and ${posts === 1 ? '1 post' : `${posts} posts`}?`
}

type Act = (session: Session, target: FoundSource) => Promise<{ json: unknown; words: string }>
type Ask = (session: Session, targets: readonly FoundSource[], options: YesOption) => Promise<void>

function sourcesCommand(cli: Cli, name: string, about: string, act: Act, ask: Ask = async () => {}): Command {
  return withCommonOptions(new Command(name))
    .description(about)
    .argument('<source...>', 'ids or URLs')
    .action(
      cli.withClient(async (session, options: CommonOptions & YesOption, ...typed: string[]) => {
        // All are found first, so that a typing error in the last one changes nothing.
        const targets: FoundSource[] = []
        for (const each of typed) targets.push(await findSource(session.client, each))
        await ask(session, targets, options)
        const done: { json: unknown; words: string }[] = []
        for (const target of targets) done.push(await act(session, target))
        session.output.answer({ items: done.map(({ json }) => json) }, () => done.map(({ words }) => words).join('\n'))
      }),
    )
}
