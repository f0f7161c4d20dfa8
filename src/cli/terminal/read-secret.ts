// A secret comes from standard input, never from the command line, where every user of the machine could read it.
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { World } from '../command-context.ts'
import { badUsage } from '../failure.ts'

export async function readSecret(world: World, prompt: string, example: string): Promise<string> {
  const secret = (world.stdin.isTTY ? await typed(world, prompt) : await text(world.stdin)).trim()
  if (secret === '') throw badUsage(`Nothing came on standard input. Example: ${example}`)
  return secret
}

async function typed(world: World, prompt: string): Promise<string> {
  world.stderr.write(`${prompt}: `)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: world.stdin, output: nowhere, terminal: true })
  try {
    return await lines.question('', { signal: world.ending })
  } finally {
    lines.close()
    world.stderr.write('\n')
  }
}
