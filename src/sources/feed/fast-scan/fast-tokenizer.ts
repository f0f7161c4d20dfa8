/**
 * htmlparser2's tokenizer with its slowest part replaced, for texts that are written in one piece.
 *
 * The original looks at every character. Most of a feed is texts, CDATA sections and ordinary tags, whose ends
 * `indexOf` finds many times faster. These are read here; every other token is left to the original. One private
 * method is replaced: if a later htmlparser2 no longer calls it, only the speed and the meaning of '<' before a digit
 * change. One test compares the tokens with the original's, another compares whole feeds with the plain scan.
 * See docs/decisions/0021-indexof-instead-of-character-loops.md
 */
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { SECTION_CLOSE, SECTION_OPEN } from '../elements/element-text.ts'

export interface FastCallbacks extends TokenizerCallbacks {
  /** Replaces `onopentagend`. Returns where to go on: behind the tag, or behind whatever the callee read at once. */
  onplaintagend(end: number): number
  /** Replaces `onattribname`, `onattribdata` and `onattribend`. */
  onplainattribute(nameStart: number, nameEnd: number, start: number, end: number): void
  /** Where the CDATA section that begins here ends, with or without `]]>`; -1 if unknown. */
  endOfSection(open: number): number
}

/** The private fields of the tokenizer that are used here. */
type TokenizerState = { buffer: string; index: number; sectionStart: number; cbs: FastCallbacks }

export function xmlTokenizer(callbacks: FastCallbacks): Tokenizer {
  return new FastTokenizer({ xmlMode: true, decodeEntities: false }, callbacks)
}

class FastTokenizer extends Tokenizer {}

Object.defineProperty(FastTokenizer.prototype, 'stateText', { value: readPlainTokens })

const LESS_THAN = 0x3c
const originalStateText = Reflect.get(Tokenizer.prototype, 'stateText') as (this: TokenizerState, code: number) => void

/** Reads texts and plain tokens until it meets an unusual token or the end. */
function readPlainTokens(this: TokenizerState): void {
  const text = this.buffer
  const last = text.length - 1
  let at = this.index
  // Set before the loop: if this were set at its end, the runtime would discard the optimised loop there.
  this.index = last
  for (;;) {
    const open = at <= last ? nextTag(text, at) : -1
    if (open < 0) return
    if (open > this.sectionStart) this.cbs.ontext(this.sectionStart, open)
    at = readPlainToken(text, open, this.cbs)
    this.sectionStart = at < 0 ? open : at
    if (at < 0) {
      this.index = open
      originalStateText.call(this, LESS_THAN)
      return
    }
  }
}

/** The next '<' that can begin a token. One before a digit is text, as in "I <3 you". */
function nextTag(text: string, from: number): number {
  let open = text.charCodeAt(from) === LESS_THAN ? from : text.indexOf('<', from)
  for (;;) {
    const next = open < 0 ? 0 : text.charCodeAt(open + 1)
    if (!(next >= ZERO && next <= NINE)) return open
    open = text.indexOf('<', open + 1)
  }
}

const ZERO = 0x30
const NINE = 0x39
const GREATER_THAN = 0x3e
const SLASH = 0x2f
const EXCLAMATION = 0x21
const QUESTION = 0x3f
const SPACE = 0x20
const TAB = 0x09
const LINE_FEED = 0x0a
const FORM_FEED = 0x0c
const RETURN = 0x0d
const EQUALS = 0x3d
const DOUBLE_QUOTE = 0x22
const SINGLE_QUOTE = 0x27

/** Reports the token at this '<' and returns where the next one begins; -1 if it is not a plain one. */
function readPlainToken(text: string, open: number, callbacks: FastCallbacks): number {
  const first = text.charCodeAt(open + 1)
  if (first === EXCLAMATION) return readSection(text, open, callbacks)
  if (first === QUESTION) return -1
  const start = first === SLASH ? open + 2 : open + 1
  const end = endOfName(text, start)
  if (end <= start) return -1
  if (first !== SLASH) return readOpenTag(text, start, end, callbacks)
  if (text.charCodeAt(end) !== GREATER_THAN) return -1
  callbacks.onclosetag(start, end)
  return end + 1
}

function readOpenTag(text: string, start: number, nameEnd: number, callbacks: FastCallbacks): number {
  const next = text.charCodeAt(nameEnd)
  const end = next === GREATER_THAN || next === SLASH ? nameEnd : findAttributes(text, nameEnd)
  const selfClosing = text.charCodeAt(end) === SLASH
  if (text.charCodeAt(selfClosing ? end + 1 : end) !== GREATER_THAN) return -1
  callbacks.onopentagname(start, nameEnd)
  if (end > nameEnd) reportAttributes(callbacks)
  if (!selfClosing) return callbacks.onplaintagend(end)
  callbacks.onselfclosingtag(end + 1)
  return end + 2
}

const MAX_PLAIN_ATTRIBUTES = 16
/** Four numbers for each attribute of the tag being read: start and end of its name, start and end of its value. */
const attributePositions = new Int32Array(4 * MAX_PLAIN_ATTRIBUTES)
let attributeCount = 0

/**
 * Finds attributes in their usual form, `name="value"`, with quotes of either kind and white space before each. Returns
 * where they end, behind any white space. If that is not the end of the tag, one of them is unusual.
 */
function findAttributes(text: string, from: number): number {
  attributeCount = 0
  let before = from
  let at = behindSpace(text, from)
  while (at > before && attributeCount < MAX_PLAIN_ATTRIBUTES) {
    const equals = endOfAttributeName(text, at)
    const quote = text.charCodeAt(equals + 1)
    if ((quote !== DOUBLE_QUOTE && quote !== SINGLE_QUOTE) || equals === at) return at
    const close = text.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", equals + 2)
    if (close < 0) return at
    const place = 4 * attributeCount++
    attributePositions[place] = at
    attributePositions[place + 1] = equals
    attributePositions[place + 2] = equals + 2
    attributePositions[place + 3] = close
    before = close + 1
    at = behindSpace(text, before)
  }
  return at
}

/** Feeds often have each attribute of their root on a line of its own, and a space before the end of a tag. */
function behindSpace(text: string, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (code !== SPACE && code !== LINE_FEED && code !== TAB && code !== RETURN && code !== FORM_FEED) return at
    at++
  }
}

function reportAttributes(callbacks: FastCallbacks): void {
  for (let place = 0; place < 4 * attributeCount; place += 4) {
    const nameStart = attributePositions[place] ?? 0
    const nameEnd = attributePositions[place + 1] ?? 0
    callbacks.onplainattribute(
      nameStart,
      nameEnd,
      attributePositions[place + 2] ?? 0,
      attributePositions[place + 3] ?? 0,
    )
  }
}

function readSection(text: string, open: number, callbacks: FastCallbacks): number {
  if (!text.startsWith(SECTION_OPEN, open)) return -1
  const close = callbacks.endOfSection(open)
  if (close < 0) return -1
  const isClosed = text.startsWith(SECTION_CLOSE, close)
  callbacks.oncdata(open + SECTION_OPEN.length, isClosed ? close + 2 : close, isClosed ? 2 : 0)
  return isClosed ? close + SECTION_CLOSE.length : close
}

/** The end of a tag name: a '>', a slash, white space or the end of the text. */
function endOfName(text: string, start: number): number {
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at)
    // At the end of the text the code is NaN.
    if (code === GREATER_THAN || code === SLASH || !(code > 0x20)) return at
  }
}

/** The end of an attribute name, at its equals sign; `start` if anything else ends it. */
function endOfAttributeName(text: string, start: number): number {
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at)
    if (code === EQUALS) return at
    if (code === GREATER_THAN || code === SLASH || !(code > SPACE)) return start
  }
}
