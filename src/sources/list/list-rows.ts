// Collects the rows of a list for the main thread. Equal rows become one with a count: the first of them decides about
// the others. Rows are handed over as JSON texts of limited length, because the main thread can read those one by one;
// a list of 50,000 objects would block it while it is copied. Each part is a list of `ListedRow`.

const ROW_CHARACTERS = 16 * 1024
const PART_CHARACTERS = 32 * 1024
const SHOWN_CHARACTERS = 2000

export class ListRows {
  /** Rows as JSON text, in the order of their first appearance, and how often each appears. */
  readonly #times = new Map<string, number>()
  readonly #most: number
  #rows = 0

  constructor(most: number | null) {
    this.#most = most ?? Number.POSITIVE_INFINITY
  }

  /** Returns false if there are too many rows now. */
  add(row: Readonly<Record<string, unknown>>): boolean {
    const text = JSON.stringify(row)
    const kept = text.length <= ROW_CHARACTERS ? text : JSON.stringify({ url: shownUrl(row.url), tooLong: true })
    this.#times.set(kept, (this.#times.get(kept) ?? 0) + 1)
    return ++this.#rows <= this.#most
  }

  parts(): string[] {
    const parts: string[] = []
    let part = ''
    for (const [text, times] of this.#times) {
      part += `${part === '' ? '[' : ','}${listedRow(text, times)}`
      if (part.length < PART_CHARACTERS) continue
      parts.push(`${part}]`)
      part = ''
    }
    return part === '' ? parts : [...parts, `${part}]`]
  }
}

function listedRow(text: string, times: number): string {
  return `{"row":${text},"times":${times}}`
}

function shownUrl(url: unknown): string {
  return typeof url === 'string' ? url.slice(0, SHOWN_CHARACTERS) : ''
}
