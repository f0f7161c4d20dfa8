// Imports a list of sources. A worker thread reads it; the rows are added one by one, with pauses, until the list or the
// caller's patience ends. The answer has a limited size, whatever the list contains. Nothing is fetched.
// See docs/decisions/0111-imports-are-read-in-a-worker.md
import { setImmediate } from 'node:timers/promises'
import { hideCredentials } from '../../domain/address.ts'
import { limitReached } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { URL_CHARACTERS } from '../../domain/source.ts'
import type { GivenList, ListedRow } from '../../ports/documents.ts'
import { type ActingOptions, mostFor } from '../acting.ts'
import { findPodcast } from '../find.ts'
import type { CatalogueParts } from '../parts.ts'
import type { ImportView } from '../shapes/answers.ts'
import type { NewSourceInput } from '../shapes/schemas.ts'
import { invalidInput } from '../shapes/validate.ts'
import { createSource } from '../sources/create-source.ts'

const ROWS_BETWEEN_PAUSES = 10
const REPORTED_FAILURES = 100
const REASON_CHARACTERS = 500
// Lists of other programs have tags or a name behind the address. Taken as a part of it, they would make another one.
const HAS_SPACES = 'expected one address on the line and nothing else; a space in an address is written as %20'
const TOO_LONG = 'the row is too long'

export async function importList(
  parts: CatalogueParts,
  podcastId: string,
  list: GivenList,
  options: ActingOptions,
): Promise<ImportView> {
  await findPodcast(parts.store, podcastId)
  const imported = new Imported()
  let index = 0
  for (const part of await readParts(parts, list, options)) {
    for (const listed of JSON.parse(part) as ListedRow[]) {
      if (options.signal?.aborted) throw imported.stopped()
      imported.count(listed, imported.refusal ?? (await importRow(parts, podcastId, listed.row, options)))
      if (++index % ROWS_BETWEEN_PAUSES === 0) await setImmediate()
    }
  }
  return imported.view
}

async function readParts(
  { documents, config }: CatalogueParts,
  list: GivenList,
  { admin = true }: ActingOptions,
): Promise<readonly string[]> {
  const mostRows = mostFor({ admin }, config.limits.importRows)
  const read = await documents.readList(list, mostRows)
  if (!read.ok) throw new Problem('malformed-request', `The list cannot be read. ${read.failure.reason}.`)
  switch (read.value.kind) {
    case 'rows':
      return read.value.parts
    case 'too-many-rows':
      throw limitReached('import-rows', config.limits.importRows)
    case 'unreadable': {
      const { code, reason: message } = read.value
      throw code === 'invalid-input' ? invalidInput([{ path: '', message }]) : new Problem(code, message)
    }
    default:
      return read.value satisfies never
  }
}

type RowOutcome = 'added' | 'skipped' | Problem

async function importRow(
  parts: CatalogueParts,
  podcastId: string,
  row: ListedRow['row'],
  options: ActingOptions,
): Promise<RowOutcome> {
  if (row.tooLong === true) return new Problem('invalid-input', TOO_LONG)
  if (row.hasSpaces === true) return new Problem('invalid-input', HAS_SPACES)
  if (row.hasNoFeed === true) return new Problem('invalid-input', withoutFeed(row.label))
  try {
    // The catalogue checks every field, so the row may have any shape here.
    const input = { ...row, type: typeOf(parts, row), validate: false } as NewSourceInput
    await createSource(parts, podcastId, input, options)
    return 'added'
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    return error.code === 'source-exists' ? 'skipped' : error
  }
}

/** Nothing is fetched on import, so nobody looks for the feed of a page. */
function withoutFeed(label: unknown): string {
  const name = typeof label === 'string' ? `"${label}"` : 'this entry'
  return `${name} has the address of a web page (htmlUrl) but no feed (xmlUrl); add the page by itself to find its feed: tidings add, or "Add source" in the dashboard`
}

/** Nothing is fetched on import, so what the address does not tell is taken for a feed. */
function typeOf({ types }: CatalogueParts, { type, url }: ListedRow['row']): unknown {
  return type ?? (typeof url === 'string' ? (types.recognisingRow(url)?.name ?? 'rss') : undefined)
}

class Imported {
  #added = 0
  #skipped = 0
  #failed = 0
  readonly #reported: ImportView['failed'] = []
  /** The limit that ended the import. The rows after it fail for the same reason. */
  refusal: Problem | null = null

  /** Equal rows have one outcome: the first one is added, and the others are there already. */
  count({ row, times }: ListedRow, outcome: RowOutcome): void {
    if (outcome === 'added') {
      this.#added += 1
      this.#skipped += times - 1
    } else if (outcome === 'skipped') this.#skipped += times
    else this.#fail(row.url, outcome, times)
  }

  #fail(url: unknown, problem: Problem, times: number): void {
    if (problem.code === 'limit-reached') this.refusal = problem
    this.#failed += times
    const shown = { url: shownUrl(url), reason: problem.message.slice(0, REASON_CHARACTERS) }
    for (let n = 0; n < times && this.#reported.length < REPORTED_FAILURES; n++) this.#reported.push(shown)
  }

  get view(): ImportView {
    const failedMore = this.#failed - this.#reported.length
    const counts = { added: this.#added, skipped: this.#skipped, failed: this.#reported }
    return failedMore > 0 ? { ...counts, failedMore } : counts
  }

  stopped(): Problem {
    return new Problem('not-ready', `The import was stopped. ${this.#added} sources were added before that.`)
  }
}

function shownUrl(url: unknown): string {
  return hideCredentials(String(url ?? '').slice(0, URL_CHARACTERS))
}
