/**
 * The tokenizer, with longer legs.
 *
 * It walks texts and CDATA sections character by character to find their end; most of a feed lies in those. The
 * runtime's own search does the same many times faster, so the one method that walks is replaced by it. Should a later
 * version of the tokenizer do without that method, this changes nothing; a test compares the two token by token.
 */
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'

type Walking = { buffer: string; index: number; offset: number }

export function xmlTokenizer(callbacks: TokenizerCallbacks): Tokenizer {
  return new SwiftTokenizer({ xmlMode: true, decodeEntities: false }, callbacks)
}

class SwiftTokenizer extends Tokenizer {}

Object.defineProperty(SwiftTokenizer.prototype, 'fastForwardTo', { value: leapTo })

/** Stops on the next such character and says whether there is one; else on the last of the buffer, like the original. */
function leapTo(this: Walking, code: number): boolean {
  const found = this.buffer.indexOf(String.fromCharCode(code), this.index + 1 - this.offset)
  this.index = this.offset + (found < 0 ? this.buffer.length - 1 : found)
  return found >= 0
}
