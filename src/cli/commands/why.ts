import { Command } from 'commander'
import type { WhyView } from '../../catalogue/shapes/answers.ts'
import type { Cli } from '../cli.ts'
import { findSource } from '../connection/find-by-name.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import { said } from '../terminal/output.ts'

export function whyCommand(cli: Cli): Command {
  return withCommonOptions(new Command('why'))
    .description('one sentence: polled or not, why, and when next')
    .argument('<source>', 'id or URL')
    .action(
      cli.withClient(async ({ client, output }, _options: CommonOptions, typed: string) => {
        const { path } = await findSource(client, typed)
        const why = await client.get<WhyView>(`${path}/why`)
        output.answer(why, () => said(why.sentence))
      }),
    )
}
