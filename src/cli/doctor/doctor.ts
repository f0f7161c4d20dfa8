// Checks what tidings stands on and says what to do about what is not well. Each check is told, also the good ones.
import { Command } from 'commander'
import { ConfigError } from '../../config.ts'
import type { Cli } from '../cli.ts'
import { resolvedConfig, serverOf } from '../connection/connect.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import { said } from '../terminal/output.ts'
import { checkClock, checkDisk, checkDns, checkRuntime } from './check-machine.ts'
import { checkStore } from './check-store.ts'
import { type Finding, ill, well } from './finding.ts'

export function doctorCommand(cli: Cli): Command {
  return withCommonOptions(new Command('doctor'))
    .description('check configuration, database, migrations, secrets, clock, DNS and disk; exit 1 with what to do')
    .action(
      cli.alone(async (output, options: CommonOptions) => {
        const findings = await examine(cli, options)
        const well = findings.every(({ ok }) => ok)
        output.answer({ ok: well, checks: findings }, () => findings.map(wordsOf).join('\n'))
        return well ? 0 : 1
      }),
    )
}

async function examine({ world }: Cli, options: CommonOptions): Promise<Finding[]> {
  const runtime = checkRuntime(process.versions.node)
  if (serverOf(world, options) !== undefined) return [runtime, ...(await checkStore(world, options)).findings]
  try {
    const { config } = resolvedConfig(world, options)
    const store = await checkStore(world, options)
    const clock = checkClock(world.now(), store.lastTickAt)
    const machine = [clock, await checkDns(store.hosts), await checkDisk(config.database.url)]
    return [runtime, well('configuration', 'every key is understood'), ...store.findings, ...machine]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const wrong = ill('configuration', error.problems.join('; '), 'Correct these keys and try again.')
    return [runtime, wrong, checkClock(world.now(), null)]
  }
}

function wordsOf({ check, ok, found, remedy }: Finding): string {
  const line = `${ok ? 'ok  ' : 'BAD '} ${check.padEnd(14)} ${said(found)}`
  return remedy === null ? line : `${line}\n     ${''.padEnd(14)} -> ${said(remedy)}`
}
