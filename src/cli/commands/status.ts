// `status`: shows totals, versions and the state of the scheduler.
import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import { type Output, printable } from '../terminal/output.ts'

export function statusCommand(cli: Cli): Command {
  return withCommonOptions(new Command('status'))
    .description('show totals, versions, and the state of the scheduler')
    .action(
      cli.withClient(async ({ client, connection, output }, _options: CommonOptions) => {
        const status = await client.get<Readonly<Record<string, unknown>>>('/api/status')
        output.answer(status, () => {
          const { now: _, ...facts } = status
          const lines = linesOf(facts, output)
          const width = Math.max(...lines.map(([name]) => name.length))
          const rows = lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`)
          return [`Answered by ${printable(connection.where)}`, ...idleText(status), '', ...rows].join('\n')
        })
      }),
    )
}

/** A newcomer who only adds sources would wait for posts in vain. On PostgreSQL another process may poll. */
function idleText({ scheduler, store, totals }: Readonly<Record<string, unknown>>): string[] {
  const isIdle = fieldOf(scheduler, 'running') === false && fieldOf(store, 'engine') === 'sqlite'
  const hasWork = fieldOf(totals, 'enabled') !== 0
  return isIdle && hasWork ? ['Nothing polls on schedule. Start it with: tidings serve'] : []
}

function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined
}

/** Shows nested fields as `scheduler last tick at`, so that new fields of a newer server are shown too. */
function linesOf(
  value: Readonly<Record<string, unknown>>,
  output: Pick<Output, 'time'>,
  above = '',
): [string, string][] {
  return Object.entries(value).flatMap(([key, inner]): [string, string][] => {
    const name = `${above} ${inWords(key)}`.trim()
    if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) {
      return linesOf(inner as Readonly<Record<string, unknown>>, output, name)
    }
    if (Array.isArray(inner) && inner.every(isObject)) {
      return inner.map((item, index) => [printable(`${name} ${index + 1}`), facts(item, output)])
    }
    return [[printable(name), inner === null ? '-' : printable(textOf(inner, output))]]
  })
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** One item of a list on one line. */
function facts(item: Readonly<Record<string, unknown>>, output: Pick<Output, 'time'>): string {
  const parts = Object.entries(item).map(([key, value]) => `${inWords(key)} ${textOf(value, output)}`)
  return printable(parts.join(', '))
}

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

function textOf(value: unknown, { time }: Pick<Output, 'time'>): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'string') return JSON.stringify(value)
  return INSTANT.test(value) ? time(value) : value
}

function inWords(camelCase: string): string {
  return camelCase.replace(
    /([a-z])([A-Z])/g,
    (_, before: string, capital: string) => `${before} ${capital.toLowerCase()}`,
  )
}
