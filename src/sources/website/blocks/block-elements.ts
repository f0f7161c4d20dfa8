/** How HTML elements become blocks: which ones start a block, of which kind, and which ones are invisible. */
import type { BlockKind } from './block.ts'

/** Stands for a table cell that is used for layout. Its text is not part of a row. */
export const LAYOUT_CELL = 'layout cell'

export const splitNames = (names: string): string[] => names.split(' ')
const PARAGRAPHS = splitNames(
  'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html main menu nav noscript ol p pre section summary table ul',
)
const LINES = splitNames('br caption li option tr tbody thead tfoot')
const INVISIBLE_ELEMENTS = new Set(
  splitNames('script style template svg math iframe object select textarea audio video canvas title'),
)
export const BREAKS = new Map<string, '\n' | '\n\n' | ' '>([
  ...PARAGRAPHS.map((name): [string, '\n\n'] => [name, '\n\n']),
  ...LINES.map((name): [string, '\n'] => [name, '\n']),
  ['td', ' '],
  ['th', ' '],
  [LAYOUT_CELL, '\n\n'],
])
export const KINDS = new Map<string, BlockKind>([
  ...splitNames('h1 h2 h3 h4 h5 h6').map((name): [string, BlockKind] => [name, 'heading']),
  ['li', 'item'],
  ['dd', 'definition'],
  ['tr', 'row'],
  [LAYOUT_CELL, 'text'],
  ['pre', 'code'],
])
/** Elements whose text is not shown. */
export const isInvisible = (name: string): boolean => INVISIBLE_ELEMENTS.has(name)
