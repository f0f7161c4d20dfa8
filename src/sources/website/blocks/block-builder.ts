/**
 * Builds blocks from tags and texts in document order. They come from a tree or from a stream.
 * White space is normalised here: a blank line between paragraphs, one line break between items, rows, lines of code
 * and after `<br>`, and one space everywhere else.
 */
import { isRelativeTime, isRelativeTimeTag } from '../changing-lines/relative-times.ts'
import type { Block, BlockKind } from './block.ts'
import { BREAKS, KINDS, splitNames } from './block-elements.ts'

// The standard element and common names of custom elements for relative times.
const TIME_ELEMENTS = new Set(splitNames('time relative-time time-ago local-time'))
const MAX_TIME_CHARS = 60
// Characters without a shape. Sites insert them for line breaking, in different places at every visit.
const INVISIBLE_CHARACTERS = /[\u00ad\u200b\u200e\u200f\u2060\ufeff]/g

// Wikis put an edit link at the end of their headings.
const EDIT_LINK =
  /\s?\[\s?(?:edit|bearbeiten|modifier|editar|modifica|bewerken|править|编辑|編集)(?: ?\p{L}+| ?\|[^\]]{1,30})?\s?\]$/iu

export class BlockBuilder {
  readonly #blocks: Block[] = []
  #parts: string[] = []
  #linkChars = 0
  #allChars = 0
  #kind: BlockKind = 'text'
  #gap: '\n' | '\n\n' = '\n\n'
  readonly #openKinds: BlockKind[] = []
  #openLinks = 0
  #timeStart: number | null = null
  #hasRelativeTime = false
  #level = 0
  #cellStart: number | null = null

  open(name: string, href: string | null | undefined): void {
    this.#breakAt(name)
    if (isOutgoing(name, href)) this.#openLinks++
    if (TIME_ELEMENTS.has(name)) this.#timeStart = this.#parts.length
    if (name === 'td') this.#cellStart = this.#parts.length
    const kind = KINDS.get(name)
    if (kind) this.#openKinds.push(kind)
    if (kind === 'heading') this.#level = Number(name[1])
  }

  text(text: string): void {
    const lines = this.#openKinds.at(-1) === 'code' ? text.split('\n') : [text]
    for (const [index, line] of lines.entries()) {
      if (index > 0) this.#endBlock('\n')
      this.#addText(line)
    }
  }

  #addText(text: string): void {
    this.#parts.push(text)
    const length = text.trim().length
    if (length === 0) return
    this.#allChars += length
    if (this.#openLinks > 0) this.#linkChars += length
    this.#kind = this.#openKinds.at(-1) ?? 'text'
  }

  close(name: string, href: string | null | undefined): void {
    if (TIME_ELEMENTS.has(name)) this.#closeTime()
    if (name === 'td') this.#closeCell()
    this.#breakAt(name)
    if (isOutgoing(name, href)) this.#openLinks--
    if (KINDS.has(name)) this.#openKinds.pop()
  }

  #closeTime(): void {
    const text = this.#parts
      .slice(this.#timeStart ?? this.#parts.length)
      .join('')
      .trim()
    if (text.length <= MAX_TIME_CHARS && isRelativeTimeTag(text)) this.#hasRelativeTime = true
    this.#timeStart = null
  }

  /** Drops a cell that is only a relative time, so that the row is the same at the next visit. */
  #closeCell(): void {
    const cell = this.#parts.slice(this.#cellStart ?? this.#parts.length).join('')
    if (this.#cellStart !== null && cell.length <= MAX_TIME_CHARS && isRelativeTime(cell.trim()))
      this.#parts.length = this.#cellStart
    this.#cellStart = null
  }

  finish(): Block[] {
    this.#endBlock('\n\n')
    return this.#blocks
  }

  #breakAt(name: string): void {
    const gap = BREAKS.get(name)
    if (gap === ' ') this.#parts.push(' ')
    else if (gap) this.#endBlock(gap)
  }

  #endBlock(gap: '\n' | '\n\n'): void {
    const whole = this.#parts.join('').replace(INVISIBLE_CHARACTERS, '').replace(/\s+/g, ' ').trim()
    const text = this.#kind === 'heading' ? whole.replace(EDIT_LINK, '') : whole
    if (text !== '') {
      const linkShare = this.#linkChars / Math.max(1, this.#allChars)
      this.#blocks.push({
        text,
        kind: this.#kind,
        linkShare,
        gap: this.#gap,
        ...(this.#kind === 'heading' && { level: this.#level }),
        ...(this.#hasRelativeTime && { hasRelativeTime: true }),
      })
      this.#gap = gap
    } else if (gap === '\n\n') this.#gap = gap
    this.#parts = []
    this.#linkChars = this.#allChars = 0
    this.#hasRelativeTime = false
    this.#timeStart = null
    this.#cellStart = null
  }
}

/** A link within the page (a heading's anchor, a footnote) is part of the text. */
const isOutgoing = (name: string, href: string | null | undefined): boolean =>
  name === 'a' && typeof href === 'string' && !href.startsWith('#')
