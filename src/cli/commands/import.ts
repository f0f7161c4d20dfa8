// `import`: adds many sources from a file or from standard input. Nothing is fetched.
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { arrayBuffer } from 'node:stream/consumers'
import { Command } from 'commander'
import type { ImportView } from '../../catalogue/shapes/answers.ts'
import type { Cli } from '../cli.ts'
import type { CommandContext } from '../command-context.ts'
import { findPodcast } from '../connection/find-by-name.ts'
import { CliFailure } from '../failure.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import { printable } from '../terminal/output.ts'

interface ImportOptions extends CommonOptions {
  readonly podcast?: string
  readonly failed?: string
}

export function importCommand(cli: Cli): Command {
  return withCommonOptions(new Command('import'))
    .description('add many sources from OPML, JSON, or a text with one URL per line; fetches nothing')
    .argument('<file>', 'file to read, or - for standard input')
    .option('--podcast <id or name>', 'podcast of the sources (default: the default one)')
    .option('--failed <file>', 'write the addresses that failed into this file, which can be corrected and imported')
    .addHelpText(
      'after',
      '\nExamples:\n  tidings import subscriptions.opml\n  tidings export --format json | tidings import -',
    )
    .action(
      cli.withClient(async ({ client, output, context }, { podcast, failed }: ImportOptions, file: string) => {
        const body = await contentOf(file, context)
        const { path } = await findPodcast(client, podcast)
        const request = { method: 'POST', path: `${path}/sources/import`, body, contentType: typeOf(body) } as const
        const imported: ImportView = JSON.parse((await client.ask(request)).text)
        if (failed !== undefined) await writeFailed(resolve(context.cwd, failed), imported)
        output.answer(imported, () => summaryOf(imported))
        return imported.failed.length > 0 ? 1 : 0
      }),
    )
}

async function contentOf(file: string, context: CommandContext): Promise<Buffer<ArrayBuffer>> {
  try {
    return file === '-' ? Buffer.from(await arrayBuffer(context.stdin)) : await readFile(resolve(context.cwd, file))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // Node's message contains the path. A URL that was typed here by mistake may have a password.
    throw new CliFailure(`Cannot read ${file}: ${code === 'ENOENT' ? 'there is no such file' : message}`)
  }
}

async function writeFailed(file: string, { failed }: ImportView): Promise<void> {
  const lines = failed.filter(({ url }) => url !== '').map(({ url }) => `${url}\n`)
  try {
    await writeFile(file, lines.join(''), { mode: 0o600 })
  } catch (error) {
    throw new CliFailure(`The import is done, but ${file} cannot be written: ${(error as Error).message}`)
  }
}

/** Detected by the first printable character. Bytes of UTF-16 and of a byte order mark are skipped. */
function typeOf(content: Buffer): string {
  const [first] = content
    .subarray(0, 1000)
    .toString('latin1')
    .replace(/[^\x21-\x7e]/g, '')
  if (first === '<') return 'text/xml'
  return first === '{' || first === '[' ? 'application/json' : 'text/plain'
}

function summaryOf({ added, skipped, failed, failedMore = 0 }: ImportView): string {
  const trouble = failed.map(({ url, reason }) => `  ${printable(url) || '(no address)'}: ${printable(reason)}`)
  const more = failedMore > 0 ? [`  ... and ${failedMore} more`] : []
  const counts = `${added} added, ${skipped} were there already, ${failed.length + failedMore} failed`
  return [counts, ...trouble, ...more].join('\n')
}
