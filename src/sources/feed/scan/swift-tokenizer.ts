/**
 * The tokenizer, with longer legs, for texts that are written whole.
 *
 * It walks character by character through everything. Most of a feed is texts, CDATA sections and ordinary tags, whose
 * ends the runtime's own search finds many times faster, so these are read here and everything else is left to it. Only
 * methods are replaced: should a later version of the tokenizer do without them, this changes nothing but what '<'
 * before a digit is. A test compares the two token by token.
 */
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { SECTION_CLOSE, SECTION_OPEN } from './element-text.ts'

export interface SwiftCallbacks extends TokenizerCallbacks {
  /** As `onopentagend`. Returns where reading goes on: behind the tag, or behind as much as was read on the spot. */
  onplaintagend(end: number): number
  /** As `onattribname`, `onattribdata` and `onattribend` together. */
  onplainattribute(nameStart: number, nameEnd: number, start: number, end: number): void
  /** Where the section that begins here has its `]]>`, or what else ends it; -1 if that is not to be seen. */
  endOfSection(open: number): number
}

/** What is private to the tokenizer and used here. */
type Walking = { buffer: string; index: number; sectionStart: number; cbs: SwiftCallbacks }

export function xmlTokenizer(callbacks: SwiftCallbacks): Tokenizer {
  return new SwiftTokenizer({ xmlMode: true, decodeEntities: false }, callbacks)
}

class SwiftTokenizer extends Tokenizer {}

Object.defineProperty(SwiftTokenizer.prototype, 'fastForwardTo', { value: leapTo })
Object.defineProperty(SwiftTokenizer.prototype, 'stateText', { value: readPlainTokens })

/** Stops on the next such character and says whether there is one; else on the last of the buffer, like the original. */
function leapTo(this: Walking, code: number): boolean {
  const found = this.buffer.indexOf(String.fromCharCode(code), this.index + 1)
  this.index = found < 0 ? this.buffer.length - 1 : found
  return found >= 0
}

const LESS_THAN = 0x3c
const originalStateText = Reflect.get(Tokenizer.prototype, 'stateText') as (this: Walking, code: number) => void

/** Reads on from a text until there is something unusual, or nothing more. */
function readPlainTokens(this: Walking): void {
  const text = this.buffer
  const last = text.length - 1
  let at = this.index
  // Said before and not when it is reached: the runtime has optimised the loop by then, and would have to start again.
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

/** The next '<' that can begin something: "I <3 you" has none, though nobody should write it like that in XML. */
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
const EQUALS = 0x3d
const DOUBLE_QUOTE = 0x22
const SINGLE_QUOTE = 0x27

/** Tells of the token at this '<' and returns where the next one begins, or -1 if it is not one of the plain ones. */
function readPlainToken(text: string, open: number, tell: SwiftCallbacks): number {
  const first = text.charCodeAt(open + 1)
  if (first === EXCLAMATION) return readSection(text, open, tell)
  if (first === QUESTION) return -1
  const start = first === SLASH ? open + 2 : open + 1
  const end = endOfName(text, start)
  if (end <= start) return -1
  if (first !== SLASH) return readOpenTag(text, start, end, tell)
  if (text.charCodeAt(end) !== GREATER_THAN) return -1
  tell.onclosetag(start, end)
  return end + 1
}

function readOpenTag(text: string, start: number, nameEnd: number, tell: SwiftCallbacks): number {
  const end = text.charCodeAt(nameEnd) === SPACE ? findAttributes(text, nameEnd) : nameEnd
  const selfClosing = text.charCodeAt(end) === SLASH
  if (text.charCodeAt(selfClosing ? end + 1 : end) !== GREATER_THAN) return -1
  tell.onopentagname(start, nameEnd)
  if (end > nameEnd) tellAttributes(tell)
  if (!selfClosing) return tell.onplaintagend(end)
  tell.onselfclosingtag(end + 1)
  return end + 2
}

const MOST_ATTRIBUTES = 16
/** Of the tag being read: where each name begins and ends, then its value. */
const attributeEnds = new Int32Array(4 * MOST_ATTRIBUTES)
let attributes = 0

/**
 * Attributes as most write them, ` name="value"`, with quotes of either kind. Returns where they end: if not with the
 * tag, one is unusual.
 */
function findAttributes(text: string, from: number): number {
  attributes = 0
  let at = from
  while (attributes < MOST_ATTRIBUTES && text.charCodeAt(at) === SPACE) {
    const equals = endOfAttributeName(text, at + 1)
    const quote = text.charCodeAt(equals + 1)
    if ((quote !== DOUBLE_QUOTE && quote !== SINGLE_QUOTE) || equals === at + 1) return at
    const close = text.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", equals + 2)
    if (close < 0) return at
    const place = 4 * attributes++
    attributeEnds[place] = at + 1
    attributeEnds[place + 1] = equals
    attributeEnds[place + 2] = equals + 2
    attributeEnds[place + 3] = close
    at = close + 1
  }
  return at
}

function tellAttributes(tell: SwiftCallbacks): void {
  for (let place = 0; place < 4 * attributes; place += 4) {
    const nameStart = attributeEnds[place] ?? 0
    const nameEnd = attributeEnds[place + 1] ?? 0
    tell.onplainattribute(nameStart, nameEnd, attributeEnds[place + 2] ?? 0, attributeEnds[place + 3] ?? 0)
  }
}

function readSection(text: string, open: number, tell: SwiftCallbacks): number {
  if (!text.startsWith(SECTION_OPEN, open)) return -1
  const close = tell.endOfSection(open)
  if (close < 0) return -1
  const isClosed = text.startsWith(SECTION_CLOSE, close)
  tell.oncdata(open + SECTION_OPEN.length, isClosed ? close + 2 : close, isClosed ? 2 : 0)
  return isClosed ? close + SECTION_CLOSE.length : close
}

/** Where a bracket, a slash, white space or the text ends it. */
function endOfName(text: string, start: number): number {
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at)
    // At the end of the text the code is NaN.
    if (code === GREATER_THAN || code === SLASH || !(code > 0x20)) return at
  }
}

/** Where an equals sign ends it; its start when something else does. */
function endOfAttributeName(text: string, start: number): number {
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at)
    if (code === EQUALS) return at
    if (code === GREATER_THAN || code === SLASH || !(code > SPACE)) return start
  }
}
