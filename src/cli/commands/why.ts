// `why`: explains in one sentence whether a source was polled, why, and when it will be polled next.
import { Command } from 'commander'
import type { WhyView } from '../../catalogue/shapes/answers.ts'
import type { Cli } from '../cli.ts'
import { findSource } from '../connection/find-by-name.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import { printable } from '../terminal/output.ts'

export function whyCommand(cli: Cli): Command {
  return withCommonOptions(new Command('why'))
    .description('explain in one sentence whether a source was polled, why, and when it is polled next')
    .argument('<source>', 'id or URL')
    .action(
      cli.withClient(async ({ client, output }, _options: CommonOptions, typed: string) => {
        const { path } = await findSource(client, typed)
        const why = await client.get<WhyView>(`${path}/why`)
        output.answer(why, () => output.sentence(printable(why.sentence)))
      }),
    )
}
