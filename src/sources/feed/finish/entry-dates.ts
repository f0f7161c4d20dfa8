/**
 * When the entries of one document were published. The two forms that nearly all feeds use are read wherever they stand.
 * The many others are looked for while there is hope: a document whose dates are beyond us has thousands of them, and what
 * it takes to find nothing is the most that an entry can cost.
 */
import { decodeEntities } from '../../html/entities.ts'
import { readCommon } from '../dates/common-forms.ts'
import { readDate, readRare } from '../dates/read-date.ts'
import { bestFirst, firstRead, type WrittenDate } from '../draft/raw-link.ts'
import { MAX_DATES_IN_VAIN } from '../limits.ts'

export class EntryDates {
  /** How many more of the rarer forms could not be read than could. */
  #inVain = 0
  #passedOver = 0

  /** The first that can be read, best first. */
  first(dates: readonly WrittenDate[]): number | null {
    return dates.length === 0 ? null : firstRead(bestFirst(dates), this.#instantOf)
  }

  notes(): string[] {
    if (this.#passedOver === 0) return []
    return [`${this.#passedOver} dates were passed over, after ${MAX_DATES_IN_VAIN} that could not be read`]
  }

  #instantOf = ({ text }: WrittenDate): number | null => {
    const written = typeof text === 'string' ? text : text.value()
    const common = readCommon(written)
    if (common !== null || written === '') return common
    if (this.#inVain >= MAX_DATES_IN_VAIN) {
      this.#passedOver++
      return null
    }
    const instant = readRare(written) ?? escapedTwice(written)
    if (instant === null) this.#inVain++
    else if (this.#inVain > 0) this.#inVain--
    return instant
  }
}

/** Or once too often, as `10:00:00 &#43;0100` in a CDATA section. */
function escapedTwice(date: string): number | null {
  const plain = decodeEntities(date, true)
  return plain === date ? null : readDate(plain)
}
