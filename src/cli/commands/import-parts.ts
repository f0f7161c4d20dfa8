// Sends a list of sources to the API. A long one is sent in parts: then there is something to tell meanwhile, and every
// failure is reported, where the answer to one request names a hundred at most.
import type { ImportView } from '../../catalogue/shapes/answers.ts'
import type { ListedRow } from '../../ports/documents.ts'
import type { Session } from '../cli.ts'
import { Interrupted } from '../failure.ts'
import { progressOn } from '../terminal/progress.ts'

/** As many as one answer reports failures of. */
const ROWS_PER_PART = 100

export interface Imported extends ImportView {
  readonly isInterrupted: boolean
}

export async function importAll(session: Session, path: string, body: Buffer<ArrayBuffer>): Promise<Imported> {
  const { client, output, context } = session
  const contentType = typeOf(body)
  const rows = await rowsOf(session, body, contentType)
  // The server itself says what is wrong with a list that cannot be read.
  if (rows === null || rows.length <= ROWS_PER_PART) {
    const reply = await client.ask({ method: 'POST', path, body, contentType })
    return { ...JSON.parse(reply.text), isInterrupted: false }
  }
  const work = { total: rows.length, done: 'sources read', quiet: output.isJson, now: context.now }
  const progress = progressOn(context.stderr, work)
  const all = { added: 0, skipped: 0, failed: [] as ImportView['failed'][number][] }
  let isInterrupted = false
  try {
    for (let next = 0; next < rows.length; next += ROWS_PER_PART) {
      const part = rows.slice(next, next + ROWS_PER_PART)
      const { added, skipped, failed } = await client.post<ImportView>(
        path,
        part.map(({ row }) => row),
      )
      all.added += added
      all.skipped += skipped + repeatsIn(part)
      all.failed.push(...failed)
      progress.reach(Math.min(next + ROWS_PER_PART, rows.length))
    }
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
    isInterrupted = true
  } finally {
    progress.end()
  }
  return { ...all, isInterrupted }
}

/** Equal rows are sent once. */
async function rowsOf({ context }: Session, bytes: Buffer, contentType: string): Promise<ListedRow[] | null> {
  const read = await context.readList({ bytes, contentType })
  return read.kind === 'rows' ? read.parts.flatMap((part) => JSON.parse(part) as ListedRow[]) : null
}

function repeatsIn(part: readonly ListedRow[]): number {
  return part.reduce((sum, { times }) => sum + times - 1, 0)
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
