// htmlparser2's parser for documents that may be nested to hurt: its stack is searched and shifted for every tag, so
// that depth costs its square. Beyond the limit elements count as empty ones: their text is still told, the stack stays.
import { Parser } from 'htmlparser2'

const MAX_OPEN = 1_000

export class ShallowParser extends Parser {
  #tooDeep = false

  override onopentagname(start: number, end: number): void {
    // Private there, and the only place that knows what is open.
    this.#tooDeep = (this as unknown as { stack: readonly string[] }).stack.length >= MAX_OPEN
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
