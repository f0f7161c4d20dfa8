import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { arrayBuffer } from 'node:stream/consumers'
import { Command } from 'commander'
import type { ImportView } from '../../catalogue/shapes/answers.ts'
import type { Cli } from '../cli.ts'
import type { World } from '../command-context.ts'
import { findPodcast } from '../connection/find-by-name.ts'
import { CliFailure } from '../failure.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import { said } from '../terminal/output.ts'

interface ImportOptions extends CommonOptions {
  readonly podcast?: string
}

export function importCommand(cli: Cli): Command {
  return withCommonOptions(new Command('import'))
    .description('add many sources from OPML, JSON, or a list with one URL a line; fetches nothing')
    .argument('<file>', 'or - for standard input')
    .option('--podcast <id or name>', 'where they belong (default: the default one)')
    .addHelpText(
      'after',
      '\nExamples:\n  tidings import subscriptions.opml\n  tidings export --format json | tidings import -',
    )
    .action(
      cli.withClient(async ({ client, output, world }, { podcast }: ImportOptions, file: string) => {
        const body = await contentOf(file, world)
        const { path } = await findPodcast(client, podcast)
        const request = { method: 'POST', path: `${path}/sources/import`, body, contentType: typeOf(body) } as const
        const told: ImportView = JSON.parse((await client.ask(request)).text)
        output.answer(told, () => wordsOf(told))
        return told.failed.length > 0 ? 1 : 0
      }),
    )
}

async function contentOf(file: string, world: World): Promise<Buffer<ArrayBuffer>> {
  try {
    return file === '-' ? Buffer.from(await arrayBuffer(world.stdin)) : await readFile(resolve(world.cwd, file))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // Node's words repeat the path as it resolved it, and an address typed here by mistake may hold a password.
    throw new CliFailure(`Cannot read ${file}: ${code === 'ENOENT' ? 'there is no such file' : message}`)
  }
}

/** By its first character; UTF-16 and a byte order mark leave zeros and high bytes around it. */
function typeOf(content: Buffer): string {
  const [first] = content
    .subarray(0, 1000)
    .toString('latin1')
    .replace(/[^\x21-\x7e]/g, '')
  if (first === '<') return 'text/xml'
  return first === '{' || first === '[' ? 'application/json' : 'text/plain'
}

function wordsOf({ added, skipped, failed }: ImportView): string {
  const trouble = failed.map(({ url, reason }) => `  ${said(url) || '(no address)'}: ${said(reason)}`)
  return [`${added} added, ${skipped} were there already, ${failed.length} failed`, ...trouble].join('\n')
}
