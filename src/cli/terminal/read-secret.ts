// Reads a secret from standard input, never from the command line, where every user of the machine could see it.
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { CommandContext } from '../command-context.ts'
import { badUsage } from '../failure.ts'

export async function readSecret(context: CommandContext, prompt: string, example: string): Promise<string> {
  const secret = (context.stdin.isTTY ? await askOnTerminal(context, prompt) : await text(context.stdin)).trim()
  if (secret === '') throw badUsage(`Standard input is empty. Example: ${example}`)
  return secret
}

async function askOnTerminal(context: CommandContext, prompt: string): Promise<string> {
  context.stderr.write(`${prompt}: `)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: context.stdin, output: nowhere, terminal: true })
  try {
    return await lines.question('', { signal: context.ending })
  } finally {
    lines.close()
    context.stderr.write('\n')
  }
}
