/**
 * Reads the attributes of a tag one after another, if they are written as ` name="value"`, ` name='value'` or ` name`. It
 * creates nothing but the names, because most attributes are either dropped or copied as they are.
 */
const [SPACE, SLASH, EQUALS, GREATER_THAN, DOUBLE_QUOTE, SINGLE_QUOTE] = [0x20, 0x2f, 0x3d, 0x3e, 0x22, 0x27]

export class SimpleAttributes {
  readonly #html: string
  /** The name in lower case. Like the others, of the attribute that was read last. */
  name = ''
  /** Whether it is written as one would write it: with one space before it, in lower case, in double quotes. */
  isPlain = false
  /** The position behind it. */
  end = 0
  #valueStart = 0
  #valueEnd = 0

  constructor(html: string) {
    this.#html = html
  }

  /** Reads the attribute here. False if there is none in a simple form; then nothing changes. */
  read(at: number): boolean {
    const html = this.#html
    const start = behindSpace(html, at)
    if (start === at || !isLetter(html.charCodeAt(start))) return false
    const stop = endOfName(html, start)
    const hasValue = html.charCodeAt(stop) === EQUALS
    const quote = html.charCodeAt(stop + 1)
    if (hasValue && quote !== DOUBLE_QUOTE && quote !== SINGLE_QUOTE) return false
    const close = hasValue ? html.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", stop + 2) : stop
    if (close < 0) return false
    const written = html.slice(start, stop)
    this.name = written.toLowerCase()
    this.isPlain = start === at + 1 && html.charCodeAt(at) === SPACE && this.name === written && quote === DOUBLE_QUOTE
    this.#valueStart = hasValue ? stop + 2 : stop
    this.#valueEnd = close
    this.end = hasValue ? close + 1 : stop
    return true
  }

  /** The value as written; empty if there is none. */
  get value(): string {
    return this.#html.slice(this.#valueStart, this.#valueEnd)
  }

  /** The position behind the tag whose attributes end here; -1 if something else follows. */
  endOfTag(at: number): number {
    const close = behindSpace(this.#html, at)
    const end = this.#html.charCodeAt(close) === SLASH ? close + 1 : close
    return this.#html.charCodeAt(end) === GREATER_THAN ? end + 1 : -1
  }
}

function behindSpace(html: string, from: number): number {
  let at = from
  while (isSpace(html.charCodeAt(at))) at++
  return at
}

function endOfName(html: string, from: number): number {
  let at = from
  while (isOfName(html.charCodeAt(at))) at++
  return at
}

function isSpace(code: number): boolean {
  return code === SPACE || (code >= 0x09 && code <= 0x0d && code !== 0x0b)
}

function isLetter(code: number): boolean {
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x7a
}

/** A letter, a digit, or one of `_ : . -`. */
function isOfName(code: number): boolean {
  return isLetter(code) || (code >= 0x2d && code <= 0x3a && code !== SLASH) || code === 0x5f
}
