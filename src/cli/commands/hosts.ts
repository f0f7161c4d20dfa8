// `hosts`: shows every host with its pace, its breaker and, with --politeness, how it was treated within the last day.
import { Command } from 'commander'
import type { HostView } from '../../catalogue/shapes/polling-answers.ts'
import type { Cli } from '../cli.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import type { Output } from '../terminal/output.ts'
import type { Column } from '../terminal/table.ts'

interface HostsOptions extends CommonOptions {
  readonly politeness?: boolean
}

export function hostsCommand(cli: Cli): Command {
  return withCommonOptions(new Command('hosts'))
    .description('list hosts: pause between requests, breaker, and what each waits for')
    .option('--politeness', 'show the requests of the last day, and how each host answered them')
    .addHelpText('after', '\nExamples:\n  tidings hosts\n  tidings hosts --politeness')
    .action(
      cli.withClient(async ({ client, output }, options: HostsOptions) => {
        const hosts = await client.all<HostView>('/api/hosts')
        const none = 'No hosts yet: no source was polled so far.'
        if (options.politeness) output.list([...hosts].sort(byScore), POLITENESS, politenessRow, none)
        else output.list(hosts, LANES, (host) => laneRow(host, output), none)
      }),
    )
}

const LANES: readonly Column[] = [
  { title: 'HOST', key: true },
  { title: 'SOURCES', align: 'right', fixed: true, drop: 4 },
  { title: 'DUE', align: 'right', fixed: true, drop: 6 },
  { title: 'PAUSE', align: 'right', fixed: true, drop: 5 },
  { title: 'LAST VISIT', fixed: true, drop: 3 },
  { title: 'FAILED/24H', align: 'right', fixed: true, drop: 2 },
  { title: '429/24H', align: 'right', fixed: true, drop: 1 },
  { title: 'BREAKER', fixed: true, tone: (state) => (state === 'closed' ? 'good' : 'bad') },
  { title: 'WAITS FOR' },
]

function laneRow(host: HostView, { time }: Pick<Output, 'time'>): string[] {
  const { state } = host.breaker
  const waits = host.notBefore === null ? '' : `${time(host.notBefore)} (${host.notBeforeReason ?? 'closed'})`
  return [
    host.host,
    String(host.sources),
    String(host.due),
    `${host.delaySeconds} s`,
    time(host.lastRequestAt),
    String(host.lastDay.failures),
    String(host.lastDay.throttled),
    state,
    // A probe also waits until the lane is open.
    state === 'closed' ? waits : state === 'open' ? `probe ${time(host.nextSlotAt)}` : 'probe now',
  ]
}

const POLITENESS: readonly Column[] = [
  { title: 'HOST', key: true },
  { title: 'REQUESTS/24H', align: 'right', fixed: true },
  { title: 'SMALLEST GAP', align: 'right', fixed: true, drop: 1 },
  { title: 'CONDITIONAL', align: 'right', fixed: true },
  { title: '429', align: 'right', fixed: true },
  { title: 'SCORE', align: 'right', fixed: true },
]

function politenessRow({ host, lastDay, politeness }: HostView): string[] {
  const gap = lastDay.smallestGapMs === null ? '-' : `${(lastDay.smallestGapMs / 1000).toFixed(1)} s`
  return [
    host,
    String(lastDay.requests),
    gap,
    percent(politeness.conditionalShare),
    percent(politeness.throttledShare),
    politeness.score === null ? '-' : String(politeness.score),
  ]
}

/** Hosts with the lowest score come first, hosts without requests last. */
function byScore(a: HostView, b: HostView): number {
  return (a.politeness.score ?? 101) - (b.politeness.score ?? 101)
}

function percent(share: number | null): string {
  return share === null ? '-' : `${Math.round(share * 100)} %`
}
