/**
 * A page's text as a sequence of blocks, each with what the cleaning rules ask: is it a heading, a list item, a table row
 * (`data` is given later, to numbers and dates that are the author's); how much of it is link text. The builder is fed in document order, from a tree or from a stream.
 * White space is settled here: paragraphs a blank line apart; items, rows, lines of code and line breaks one line; all else one space.
 */
import { isMoment, isRelative } from '../changing-lines/relative-times.ts'

export type BlockKind = 'text' | 'heading' | 'item' | 'definition' | 'row' | 'code' | 'data'
/** `level`: of a heading, 1 to 6. `hasMoment`: a `<time>` in it tells how long ago. */
export type Block = {
  text: string
  kind: BlockKind
  linkShare: number
  gap: '\n' | '\n\n'
  level?: number
  hasMoment?: boolean
}

/** What a cell is told as that holds a part of the page instead of a piece of data: its text is in no row. */
export const LAYOUT_CELL = 'cell of a layout'

const list = (names: string): string[] => names.split(' ')
const PARAGRAPHS = list(
  'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html main menu nav noscript ol p pre section summary table ul',
)
const LINES = list('br caption li option tr tbody thead tfoot')
const SILENT = new Set(list('script style template svg math iframe object select textarea audio video canvas title'))
const BREAKS = new Map<string, '\n' | '\n\n' | ' '>([
  ...PARAGRAPHS.map((name): [string, '\n\n'] => [name, '\n\n']),
  ...LINES.map((name): [string, '\n'] => [name, '\n']),
  ['td', ' '],
  ['th', ' '],
  [LAYOUT_CELL, '\n\n'],
])
const KINDS = new Map<string, BlockKind>([
  ...list('h1 h2 h3 h4 h5 h6').map((name): [string, BlockKind] => [name, 'heading']),
  ['li', 'item'],
  ['dd', 'definition'],
  ['tr', 'row'],
  [LAYOUT_CELL, 'text'],
  ['pre', 'code'],
])
// The element, and what sites call components that write how long ago.
const TIMES = new Set(list('time relative-time time-ago local-time'))
const MAX_TIME_CHARS = 60
// Marks that are drawn as nothing; sites scatter them for line breaking, and differently on every visit.
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u2060\ufeff]/g

// How wikis end their headings.
const EDIT_LINK =
  /\s?\[\s?(?:edit|bearbeiten|modifier|editar|modifica|bewerken|править|编辑|編集)(?: ?\p{L}+| ?\|[^\]]{1,30})?\s?\]$/iu

/** Rows and code are the author's whatever they look like: a number there is data. */
export const isGiven = ({ kind }: Block): boolean => kind === 'row' || kind === 'code' || kind === 'data'

/** Elements whose text no reader sees. */
export const isSilent = (name: string): boolean => SILENT.has(name)

export class BlockBuilder {
  readonly #blocks: Block[] = []
  #raw: string[] = []
  #linkChars = 0
  #allChars = 0
  #kind: BlockKind = 'text'
  #gap: '\n' | '\n\n' = '\n\n'
  readonly #kinds: BlockKind[] = []
  #links = 0
  #timeFrom: number | null = null
  #hasMoment = false
  #level = 0
  #cellFrom: number | null = null

  open(name: string, href: string | null | undefined): void {
    this.#boundary(name)
    if (isOutgoing(name, href)) this.#links++
    if (TIMES.has(name)) this.#timeFrom = this.#raw.length
    if (name === 'td') this.#cellFrom = this.#raw.length
    const kind = KINDS.get(name)
    if (kind) this.#kinds.push(kind)
    if (kind === 'heading') this.#level = Number(name[1])
  }

  text(text: string): void {
    const lines = this.#kinds.at(-1) === 'code' ? text.split('\n') : [text]
    for (const [index, line] of lines.entries()) {
      if (index > 0) this.#end('\n')
      this.#add(line)
    }
  }

  #add(text: string): void {
    this.#raw.push(text)
    const length = text.trim().length
    if (length === 0) return
    this.#allChars += length
    if (this.#links > 0) this.#linkChars += length
    this.#kind = this.#kinds.at(-1) ?? 'text'
  }

  close(name: string, href: string | null | undefined): void {
    if (TIMES.has(name)) this.#closeTime()
    if (name === 'td') this.#closeCell()
    this.#boundary(name)
    if (isOutgoing(name, href)) this.#links--
    if (KINDS.has(name)) this.#kinds.pop()
  }

  #closeTime(): void {
    const text = this.#raw
      .slice(this.#timeFrom ?? this.#raw.length)
      .join('')
      .trim()
    if (text.length <= MAX_TIME_CHARS && isRelative(text)) this.#hasMoment = true
    this.#timeFrom = null
  }

  /** How long ago is no datum: the row without it is the same at the next visit. */
  #closeCell(): void {
    const cell = this.#raw.slice(this.#cellFrom ?? this.#raw.length).join('')
    if (this.#cellFrom !== null && cell.length <= MAX_TIME_CHARS && isMoment(cell.trim()))
      this.#raw.length = this.#cellFrom
    this.#cellFrom = null
  }

  finish(): Block[] {
    this.#end('\n\n')
    return this.#blocks
  }

  #boundary(name: string): void {
    const gap = BREAKS.get(name)
    if (gap === ' ') this.#raw.push(' ')
    else if (gap) this.#end(gap)
  }

  #end(gap: '\n' | '\n\n'): void {
    const whole = this.#raw.join('').replace(INVISIBLE, '').replace(/\s+/g, ' ').trim()
    const text = this.#kind === 'heading' ? whole.replace(EDIT_LINK, '') : whole
    if (text !== '') {
      const linkShare = this.#linkChars / Math.max(1, this.#allChars)
      this.#blocks.push({
        text,
        kind: this.#kind,
        linkShare,
        gap: this.#gap,
        ...(this.#kind === 'heading' && { level: this.#level }),
        ...(this.#hasMoment && { hasMoment: true }),
      })
      this.#gap = gap
    } else if (gap === '\n\n') this.#gap = gap
    this.#raw = []
    this.#linkChars = this.#allChars = 0
    this.#hasMoment = false
    this.#timeFrom = null
    this.#cellFrom = null
  }
}

/** A link to a place in the same page (a heading's anchor, a footnote) is part of the text. */
const isOutgoing = (name: string, href: string | null | undefined): boolean =>
  name === 'a' && typeof href === 'string' && !href.startsWith('#')

export const joinBlocks = (blocks: readonly Block[]): string =>
  blocks.map((block, index) => (index === 0 ? block.text : block.gap + block.text)).join('')

// One sign of these scripts says as much as two or three letters.
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu
/** How much a text says, in letters of an alphabet: what "too short" means must not depend on the script. */
export const weightOf = (text: string): number => text.length + 1.5 * (text.match(DENSE)?.length ?? 0)

export const sizeOf = (blocks: readonly Block[]): number => blocks.reduce((sum, block) => sum + weightOf(block.text), 0)
