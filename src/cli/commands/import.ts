// `import`: adds many sources from a file or from standard input. Nothing is fetched.
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { arrayBuffer } from 'node:stream/consumers'
import { Command } from 'commander'
import type { ImportView } from '../../catalogue/shapes/answers.ts'
import type { Cli } from '../cli.ts'
import type { CommandContext } from '../command-context.ts'
import { findPodcast } from '../connection/find-by-name.ts'
import { CliFailure, INTERRUPTED } from '../failure.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'
import { printable } from '../terminal/output.ts'
import { importAll } from './import-parts.ts'

interface ImportOptions extends CommonOptions {
  readonly podcast?: string
  readonly failed?: string
}

const SHOWN_FAILURES = 100

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
      cli.withClient(async (session, { podcast, failed }: ImportOptions, file: string) => {
        const { client, output, context } = session
        const body = await contentOf(file, context)
        const { path } = await findPodcast(client, podcast)
        const { isInterrupted, ...imported } = await importAll(session, `${path}/sources/import`, body)
        if (failed !== undefined) await writeFailed(resolve(context.cwd, failed), imported)
        output.answer(imported, () => summaryOf(imported))
        if (isInterrupted) output.note('Interrupted. Run the same command again: what was added is not added twice.')
        return isInterrupted ? INTERRUPTED : imported.failed.length > 0 ? 1 : 0
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

function summaryOf({ added, skipped, failed, failedMore = 0 }: ImportView): string {
  const shown = failed.slice(0, SHOWN_FAILURES)
  const trouble = shown.map(({ url, reason }) => `  ${printable(url) || '(no address)'}: ${printable(reason)}`)
  const left = failed.length - shown.length + failedMore
  const more = left > 0 ? [`  ... and ${left} more; --failed FILE writes all of them`] : []
  const counts = `${added} added, ${skipped} were there already, ${failed.length + failedMore} failed`
  return [counts, ...trouble, ...more].join('\n')
}
