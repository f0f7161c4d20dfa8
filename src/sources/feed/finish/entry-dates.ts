/**
 * Finds out when the entries of one document were published. The two forms that nearly all feeds use are always read.
 * The rare forms are tried until too many dates of the document could not be read: trying them all in vain is the most
 * expensive thing that can happen to an entry.
 * See docs/decisions/0107-rare-date-formats-given-up-after-500-failures.md
 */
import { decodeEntities } from '../../html/entities.ts'
import { readCommon } from '../dates/common-forms.ts'
import { readDate, readRare } from '../dates/read-date.ts'
import { bestFirst, firstRead, type WrittenDate } from '../draft/written-values.ts'
import { MAX_UNREADABLE_DATES } from '../limits.ts'

export class EntryDates {
  /** Dates in no common form that could not be read, minus those that could. */
  #unreadable = 0
  #skipped = 0

  /** The first date that can be read, in order of rank. */
  first(dates: readonly WrittenDate[]): number | null {
    return dates.length === 0 ? null : firstRead(bestFirst(dates), this.#instantOf)
  }

  notes(): string[] {
    if (this.#skipped === 0) return []
    return [`${this.#skipped} dates were passed over, after ${MAX_UNREADABLE_DATES} that could not be read`]
  }

  #instantOf = ({ text }: WrittenDate): number | null => {
    const written = typeof text === 'string' ? text : text.value()
    const common = readCommon(written)
    if (common !== null || written === '') return common
    if (this.#unreadable >= MAX_UNREADABLE_DATES) {
      this.#skipped++
      return null
    }
    const instant = readRare(written) ?? readEscapedDate(written)
    if (instant === null) this.#unreadable++
    else if (this.#unreadable > 0) this.#unreadable--
    return instant
  }
}

/** Reads a date that was escaped once too often, such as `10:00:00 &#43;0100` in a CDATA section. */
function readEscapedDate(date: string): number | null {
  const plain = decodeEntities(date, true)
  return plain === date ? null : readDate(plain)
}
