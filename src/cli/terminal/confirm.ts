// Asks a person before something is deleted or replaced. Only a terminal is asked: scripts are not stopped by a question.
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { CliFailure } from '../failure.ts'

export interface YesOption {
  readonly yes?: boolean
}

export function withYesOption(command: Command): Command {
  return command.option('--yes', 'do not ask, also on a terminal')
}

/** Throws if the person says no. */
export async function askFirst(context: CommandContext, { yes }: YesOption, question: string): Promise<void> {
  if (yes || !context.stdin.isTTY || !context.stderr.isTTY) return
  if (!(await saysYes(context, question))) throw new CliFailure('Stopped: nothing was changed.')
}

async function saysYes(context: CommandContext, question: string): Promise<boolean> {
  // readline rewrites its prompt through this stream, so that the question and the typed answer are shown.
  const screen = new Writable({
    write(chunk, _encoding, done) {
      context.stderr.write(String(chunk))
      done()
    },
  })
  const lines = createInterface({ input: context.stdin, output: screen, terminal: true })
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  // Ctrl-C reaches readline instead of the process, because the terminal is in raw mode while it reads.
  lines.once('SIGINT', () => lines.close())
  try {
    const asked = lines.question(`${question} [y/N] `, { signal: context.ending })
    return /^y(es)?$/i.test((await Promise.race([asked, closed])).trim())
  } catch (error) {
    if (context.ending.aborted) return false
    throw error
  } finally {
    lines.close()
  }
}
