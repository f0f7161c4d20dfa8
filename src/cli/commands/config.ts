import { Command } from 'commander'
import { describeConfig } from '../../config/describe.ts'
import type { Cli } from '../cli.ts'
import { resolvedConfig } from '../connection/connect.ts'
import { type CommonOptions, refuseServer, withStoreOptions } from '../options.ts'

export function configCommand(cli: Cli): Command {
  return withStoreOptions(new Command('config'))
    .description('the effective configuration with secrets masked, and where each value came from')
    .action(
      cli.alone(async (output, options: CommonOptions) => {
        refuseServer(options, 'config', 'it tells what holds for a tidings that is started here')
        const settings = describeConfig(resolvedConfig(cli.world, options))
        output.list(
          settings,
          [{ title: 'KEY', fixed: true }, { title: 'VALUE' }, { title: 'FROM' }],
          ({ key, value, origin }) => [key, typeof value === 'string' ? value : JSON.stringify(value), origin],
          '',
        )
      }),
    )
}
