/** What text reading needs to know about HTML tags: where one ends, what it is called, whether it breaks the flow. */

const LONGEST_NAME = 10
const GREATER_THAN = 0x3e
const SLASH = 0x2f
const BLOCKS = (
  'address article aside audio blockquote body br canvas caption center col colgroup dd details dialog dir div dl ' +
  'dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li ' +
  'link listing main marquee math menu meta nav noframes noscript ol option p plaintext pre script section style ' +
  'summary svg table tbody td template tfoot th thead title tr ul video xmp'
).split(' ')

const RAW_TEXT = new Set(['script', 'style'])

/** `closing` ends the text of an element that is no HTML. */
export type BreakingTag = { closing: RegExp | null }

/** The rest of a tag with nothing unusual in its values; stops at the first bracket in any case. */
const COMMON_TAG = /[^<>"']*(?:=(?:"[^"<>]*"|'[^'<>]*')[^<>"']*)*>/y

/**
 * The tags of one text, from front to back. Remembers where the next bracket and the next quotes are, and that there is
 * none any more, so that a flood of unclosed tags or values does not search the rest of the text each time.
 */
export class HtmlTags {
  readonly #html: string
  /**
   * The name as a number: its length and its first five characters, in either case. Numbers are compared faster than
   * strings are made, and no two names of HTML have the same.
   */
  key = 0
  /** Just behind its '>'. */
  end = 0
  #close = -1
  #double = -1
  #single = -1
  #comment = -1

  constructor(html: string) {
    this.#html = html
  }

  /** The tag whose name starts here, with this letter. */
  read(start: number, first: number): void {
    let key = digitOf(first)
    let at = start + 1
    let code = this.#html.charCodeAt(at)
    for (let digit = digitOf(code); digit > 0; digit = digitOf(code)) {
      if (at - start < 5) key = key * 37 + digit
      at++
      code = this.#html.charCodeAt(at)
    }
    this.key = Math.min(at - start, LONGEST_NAME + 1) * 69_343_957 + key
    this.end = code === GREATER_THAN ? at + 1 : this.endOfTag(at)
  }

  /** Of the name just read; null for what runs on in the line, and for all that is unknown. */
  get breaking(): BreakingTag | null {
    return BREAKING.get(this.key) ?? null
  }

  /** Where reading goes on behind an opening tag that ends here: behind the text of the element for script and its like. */
  behindRawText({ closing }: BreakingTag, end: number): number {
    if (!closing || this.#html[end - 2] === '/') return end
    const found = this.#html.slice(end).search(closing)
    return found < 0 ? this.#html.length : end + found
  }

  /** Just behind the '>' of the tag around `from`; a '>' in a quoted value does not count. */
  endOfTag(from: number): number {
    const next = this.#html.charCodeAt(from)
    if (next === GREATER_THAN) return from + 1
    if (next === SLASH && this.#html.charCodeAt(from + 1) === GREATER_THAN) return from + 2
    const close = this.#nextClose(from)
    if (close === this.#html.length) return close
    if (this.#endsBehindValue(from, close) || this.#nextQuote(from) > close) return close + 1
    COMMON_TAG.lastIndex = from
    return COMMON_TAG.test(this.#html) ? COMMON_TAG.lastIndex : this.#endBehindQuotes(from)
  }

  /**
   * Whether the last thing before this first '>' is the closing quote of a value. Then the '>' is in none: it would be
   * in one of the other kind, of which there is none, or in one that begins with this very quote.
   */
  #endsBehindValue(from: number, close: number): boolean {
    const html = this.#html
    let at = close - 1
    if (html.charCodeAt(at) === SLASH) at--
    if (html.charCodeAt(at) === 0x20) at--
    const quote = html.charCodeAt(at)
    if (quote === 0x22 ? this.#nextSingle(from) < close : quote === 0x27 ? this.#nextDouble(from) < close : true) {
      return false
    }
    const before = html.charCodeAt(at - 1)
    return before !== 0x3d && !isSpace(before)
  }

  endOfComment(at: number): number {
    // Its own dashes may be those that end it: `<!-->` is a comment with nothing in it.
    if (this.#comment < at) this.#comment = this.#orEnd(this.#html.indexOf('-->', at + 2))
    return this.#comment === this.#html.length ? this.endOfTag(at + 4) : this.#comment + 3
  }

  /** A quote means something only behind an equals sign, and only when it is closed. */
  #endBehindQuotes(from: number): number {
    let at = from
    for (;;) {
      const close = this.#nextClose(at)
      if (close === this.#html.length) return close
      const quote = this.#nextQuote(at)
      if (quote > close) return close + 1
      at = this.#behindValue(quote)
    }
  }

  #behindValue(quote: number): number {
    let before = quote - 1
    while (before > 0 && isSpace(this.#html.charCodeAt(before))) before--
    if (this.#html.charCodeAt(before) !== 0x3d) return quote + 1
    const closing = this.#html.indexOf(this.#html[quote] ?? '', quote + 1)
    if (closing >= 0) return closing + 1
    // The last quote of its kind: from here on there are none.
    if (this.#html[quote] === '"') this.#double = this.#html.length
    else this.#single = this.#html.length
    return quote + 1
  }

  #nextClose(from: number): number {
    if (this.#close < from) this.#close = this.#orEnd(this.#html.indexOf('>', from))
    return this.#close
  }

  #nextQuote(from: number): number {
    return Math.min(this.#nextDouble(from), this.#nextSingle(from))
  }

  #nextDouble(from: number): number {
    if (this.#double < from) this.#double = this.#orEnd(this.#html.indexOf('"', from))
    return this.#double
  }

  #nextSingle(from: number): number {
    if (this.#single < from) this.#single = this.#orEnd(this.#html.indexOf("'", from))
    return this.#single
  }

  /** What is nowhere is behind everything; a whole number like all others, which the runtime calculates with fastest. */
  #orEnd(found: number): number {
    return found < 0 ? this.#html.length : found
  }
}

/** 1 to 36 for letters and digits, 0 for all that ends a name (NaN, the end of the text, too). */
function digitOf(code: number): number {
  const lower = code | 0x20
  if (lower >= 0x61 && lower <= 0x7a) return lower - 0x60
  return code >= 0x30 && code <= 0x39 ? code - 0x15 : 0
}

function keyOf(name: string): number {
  const tags = new HtmlTags(name)
  tags.read(0, name.charCodeAt(0))
  return tags.key
}

const BREAKING = new Map<number, BreakingTag>(
  BLOCKS.map((name) => [keyOf(name), { closing: RAW_TEXT.has(name) ? new RegExp(`</${name}(?=[\\s/>])`, 'i') : null }]),
)

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}
