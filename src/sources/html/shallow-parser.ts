// htmlparser2's parser with a limit on nesting. The parser searches and shifts its stack for every tag, so its time grows
// with the square of the depth. Beyond the limit elements count as void: their text is reported, but the stack does not grow.
import { Parser } from 'htmlparser2'

export const MAX_DEPTH = 1_000

export class ShallowParser extends Parser {
  #tooDeep = false

  override onopentagname(start: number, end: number): void {
    // The stack is private, but nothing else tells how many elements are open.
    this.#tooDeep = (this as unknown as { stack: readonly string[] }).stack.length >= MAX_DEPTH
    super.onopentagname(start, end)
  }

  override onopentagend(end: number): void {
    super.onopentagend(end)
    this.#tooDeep = false
  }

  override onselfclosingtag(end: number): void {
    super.onselfclosingtag(end)
    this.#tooDeep = false
  }

  protected override isVoidElement(name: string): boolean {
    return this.#tooDeep || super.isVoidElement(name)
  }
}
