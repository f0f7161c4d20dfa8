// `config`: shows every configuration value and where it comes from.
import { Command } from 'commander'
import { describeConfig } from '../../config/describe.ts'
import type { Cli } from '../cli.ts'
import { resolvedConfig } from '../connection/connect.ts'
import { type CommonOptions, refuseServer, withStoreOptions } from '../options.ts'

export function configCommand(cli: Cli): Command {
  return withStoreOptions(new Command('config'))
    .description('show the effective configuration, with secrets masked, and where each value comes from')
    .action(
      cli.withoutClient(async (output, options: CommonOptions) => {
        refuseServer(options, 'config', 'it shows the configuration of a tidings that is started here')
        const settings = describeConfig(resolvedConfig(cli.context, options))
        output.list(
          settings,
          [
            { title: 'KEY', fixed: true },
            { title: 'VALUE', wraps: true },
            { title: 'FROM', wraps: true },
          ],
          ({ key, value, from }) => [key, typeof value === 'string' ? value : JSON.stringify(value), from],
          '',
        )
      }),
    )
}
