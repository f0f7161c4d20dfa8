import { Command } from 'commander'
import type { HostView } from '../catalogue/answers.ts'
import type { Cli } from './cli.ts'
import { type CommonOptions, withCommonOptions } from './options.ts'
import { ago } from './output.ts'

export function hostsCommand(cli: Cli): Command {
  return withCommonOptions(new Command('hosts'))
    .description('the lanes: one per host, with its pace, what closes it, and its breaker')
    .action(
      cli.withClient(async ({ client, output, world }, _options: CommonOptions) => {
        const hosts = await client.all<HostView>('/api/hosts')
        output.list(
          hosts,
          [
            { title: 'HOST' },
            { title: 'SOURCES', align: 'right', fixed: true },
            { title: 'DUE', align: 'right', fixed: true },
            { title: 'PAUSE', align: 'right', fixed: true },
            { title: 'LAST VISIT', fixed: true },
            { title: 'BREAKER', fixed: true },
            { title: 'WAITS FOR' },
          ],
          (host) => rowOf(host, world.now()),
          'No hosts yet: nothing was visited so far.',
        )
      }),
    )
}

function rowOf(host: HostView, now: number): string[] {
  const { state, probeAt } = host.breaker
  const waits = host.notBefore === null ? '' : `${ago(host.notBefore, now)} (${host.notBeforeReason ?? 'closed'})`
  return [
    host.host,
    String(host.sources),
    String(host.due),
    `${host.delaySeconds} s`,
    ago(host.lastRequestAt, now),
    state,
    state === 'closed' ? waits : `probe ${ago(probeAt, now)}`,
  ]
}
