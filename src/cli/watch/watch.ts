// `watch`: a live view of lanes and polls in the terminal, until it is ended. In a pipe it prints a line for each poll.
import { setTimeout as wait } from 'node:timers/promises'
import { Command } from 'commander'
import type { PollWithSourceView } from '../../catalogue/shapes/answers.ts'
import type { HostView, StatusView } from '../../catalogue/shapes/polling-answers.ts'
import type { Cli, Session } from '../cli.ts'
import type { Client, List } from '../connection/client.ts'
import { CliFailure, Unreachable } from '../failure.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import { printable } from '../terminal/output.ts'
import { cut } from '../terminal/table.ts'
import { type Watched, watchScreen } from './watch-screen.ts'

const REFRESH_MS = 1000
const POLLS_READ = 200
// With more hosts than that, only those that wait are read every second.
const MANY_HOSTS = 500

// The second screen of the terminal, without a cursor: what was there before comes back at the end.
const ENTER = '\u001b[?1049h\u001b[?25l'
const LEAVE = '\u001b[?25h\u001b[?1049l'
const HOME = '\u001b[H'
const CLEAR_LINE = '\u001b[K'
const CLEAR_BELOW = '\u001b[J'

export function watchCommand(cli: Cli): Command {
  return withCommonOptions(new Command('watch'))
    .description('show lanes and polls as they happen, until Ctrl-C')
    .addHelpText('after', '\nIn a pipe, and with --json, it prints one line for each poll from now on.')
    .action(
      cli.withClient(async (session, _options: CommonOptions) => {
        // A command that opens the file itself would keep the serve from starting that is to be watched.
        if (session.connection.app?.store.engine === 'sqlite') {
          throw new CliFailure('No tidings serve uses this store. Start one with "tidings serve", then watch it.')
        }
        const { stdout } = session.context
        if (stdout.isTTY && !session.output.isJson) await watchOnTerminal(session)
        else await watchAsLines(session)
      }),
    )
}

async function watchOnTerminal(session: Session): Promise<void> {
  const { stdout, stdin, ending } = session.context
  const leaving = new AbortController()
  const signal = AbortSignal.any([ending, leaving.signal])
  const onKeys = (keys: Buffer | string) => {
    if (/[qQ\u0003\u0004]/.test(String(keys))) leaving.abort()
  }
  stdin.setRawMode?.(true)
  stdin.on('data', onKeys)
  stdout.write(ENTER)
  try {
    let last: Watched | null = null
    await repeat(signal, async () => {
      try {
        last = await readAll(session)
        draw(session, watchedLines(session, last))
      } catch (error) {
        // A serve that restarts is watched again when it is back.
        if (!(error instanceof Unreachable)) throw error
        const lines = last ? watchedLines(session, last) : []
        draw(session, [cut(printable(error.message), stdout.columns ?? 80), ...lines.slice(1)])
      }
    })
  } finally {
    stdout.write(LEAVE)
    stdin.off('data', onKeys)
    stdin.setRawMode?.(false)
    stdin.pause()
  }
}

function watchedLines({ context, output }: Session, watched: Watched): string[] {
  const { columns = 80, rows = 24 } = context.stdout
  return watchScreen(watched, { columns, rows, now: context.now(), paint: output.paint })
}

function draw({ context }: Session, lines: readonly string[]): void {
  context.stdout.write(HOME + lines.map((line) => line + CLEAR_LINE).join('\r\n') + CLEAR_BELOW)
}

async function readAll({ client, connection }: Session): Promise<Watched> {
  const [status, polls] = await Promise.all([client.get<StatusView>('/api/status'), newestPolls(client)])
  const query = status.totals.hosts > MANY_HOSTS ? { waiting: true } : {}
  const hosts = await client.all<HostView>('/api/hosts', query, MANY_HOSTS)
  return { where: connection.where, status, hosts, polls }
}

async function newestPolls(client: Client): Promise<readonly PollWithSourceView[]> {
  return (await client.get<List<PollWithSourceView>>('/api/polls', { limit: POLLS_READ })).items
}

async function watchAsLines({ client, context, output }: Session): Promise<void> {
  let shown = new Set((await newestPolls(client)).map(({ id }) => id))
  await repeat(context.ending, async () => {
    const polls = await newestPolls(client)
    for (const poll of polls.filter(({ id }) => !shown.has(id)).reverse()) {
      context.stdout.write(`${output.isJson ? JSON.stringify(poll) : lineOf(poll)}\n`)
    }
    // What is not among the newest any more does not come back.
    shown = new Set(polls.map(({ id }) => id))
  })
}

function lineOf({ startedAt, outcome, url, created, durationMs, reason }: PollWithSourceView): string {
  const words = reason === null ? `${created} new, ${durationMs} ms` : printable(reason)
  return `${startedAt}  ${outcome.padEnd(9)}  ${printable(url)}  ${words}`
}

/** Ends without an error when the signal says so. */
async function repeat(signal: AbortSignal, step: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    try {
      await step()
      await wait(REFRESH_MS, undefined, { signal })
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
}
