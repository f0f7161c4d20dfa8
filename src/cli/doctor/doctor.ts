// `doctor`: checks everything that tidings needs, and prints a remedy for each failed check. Passed checks are shown too.
import { Command } from 'commander'
import { ConfigError } from '../../config.ts'
import type { Cli } from '../cli.ts'
import { namedServer, resolvedConfig } from '../connection/connect.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import type { Paint } from '../terminal/colour.ts'
import { printable } from '../terminal/output.ts'
import { checkClock, checkDisk, checkDns, checkRuntime } from './check-machine.ts'
import { checkPort, checkProxy } from './check-network.ts'
import { checkStore } from './check-store.ts'
import { type Finding, failed, passed } from './finding.ts'

export function doctorCommand(cli: Cli): Command {
  return withCommonOptions(new Command('doctor'))
    .description(
      'check configuration, database, secrets, hosts, sources, clock, DNS, disk, port and proxy; exit 1 and a remedy if one fails',
    )
    .action(
      cli.withoutClient(async (output, options: CommonOptions) => {
        const findings = await runChecks(cli, options)
        const allPassed = findings.every(({ ok }) => ok)
        output.answer({ ok: allPassed, checks: findings }, () =>
          findings.map((each) => findingText(each, output.paint)).join('\n'),
        )
        return allPassed ? 0 : 1
      }),
    )
}

async function runChecks({ context }: Cli, options: CommonOptions): Promise<Finding[]> {
  const runtime = checkRuntime(process.versions.node)
  if (namedServer(context, options) !== undefined) return [runtime, ...(await checkStore(context, options)).findings]
  try {
    const { config } = resolvedConfig(context, options)
    const store = await checkStore(context, options)
    const clock = checkClock(context.now(), store.lastTickAt)
    const machine = [clock, await checkDns(store.hosts), await checkDisk(config.database.url)]
    const network = [await checkPort(config.server, store.isServing), await checkProxy(config.http, context.env)]
    return [runtime, passed('configuration', 'all keys are valid'), ...store.findings, ...machine, ...network]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const wrong = failed('configuration', error.problems.join('; '), 'Correct these keys and try again.')
    return [runtime, wrong, checkClock(context.now(), null)]
  }
}

function findingText({ check, ok, found, remedy }: Finding, paint: Paint): string {
  const line = `${ok ? paint('good', 'ok  ') : paint('bad', 'BAD ')} ${check.padEnd(14)} ${printable(found)}`
  return remedy === null ? line : `${line}\n     ${''.padEnd(14)} -> ${printable(remedy)}`
}
