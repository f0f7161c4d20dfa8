// enable, disable, remove: what people do to sources that are there.
import { Command } from 'commander'
import type { SourceView } from '../../catalogue/shapes/answers.ts'
import type { Cli, Session } from '../cli.ts'
import { findSource, type SourcePlace } from '../connection/find-by-name.ts'
import type { CommonOptions } from '../options.ts'
import { withCommonOptions } from '../options.ts'
import { ago, said } from '../terminal/output.ts'

export function enableCommand(cli: Cli): Command {
  const about = 'poll disabled sources again, from now on; forgets their failures'
  return eachSource(cli, 'enable', about, async ({ client, world }, { path, source: before }) => {
    const source = await client.patch<SourceView>(path, { enabled: true })
    const words = before.enabled ? `was enabled already; ${planOf(source, world.now())}` : 'is enabled and due'
    return { json: source, words: `${said(source.url)} ${words}` }
  })
}

/** Nothing about it was changed, its failures included. */
function planOf({ nextPollAt, consecutiveFailures }: SourceView, now: number): string {
  const failing = consecutiveFailures > 0 ? `failing ${consecutiveFailures}x, ` : ''
  if (nextPollAt === null) return `${failing}its first poll is not planned yet`
  return `${failing}${Date.parse(nextPollAt) <= now ? 'due' : `planned ${ago(nextPollAt, now)}`}`
}

export function disableCommand(cli: Cli): Command {
  return eachSource(cli, 'disable', 'stop polling sources; what they brought stays', async ({ client }, { path }) => {
    const source = await client.patch<SourceView>(path, { enabled: false })
    return { json: source, words: `${said(source.url)} is disabled` }
  })
}

export function removeCommand(cli: Cli): Command {
  const about = 'remove sources with all their posts and articles'
  return eachSource(cli, 'remove', about, async ({ client }, { path, source }) => {
    await client.delete(path)
    return { json: { id: source.id, removed: true }, words: `${said(source.url)} is removed` }
  })
}

function eachSource(
  cli: Cli,
  name: string,
  about: string,
  act: (session: Session, place: SourcePlace) => Promise<{ json: unknown; words: string }>,
): Command {
  return withCommonOptions(new Command(name))
    .description(about)
    .argument('<source...>', 'ids or URLs')
    .action(
      cli.withClient(async (session, _options: CommonOptions, ...typed: string[]) => {
        // All are looked up first, so that a slip in the last one changes nothing.
        const places: SourcePlace[] = []
        for (const each of typed) places.push(await findSource(session.client, each))
        const done: { json: unknown; words: string }[] = []
        for (const place of places) done.push(await act(session, place))
        session.output.answer({ items: done.map(({ json }) => json) }, () => done.map(({ words }) => words).join('\n'))
      }),
    )
}
