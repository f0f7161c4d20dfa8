/**
 * A page's text is a sequence of blocks: paragraphs, headings, list items, table rows, lines of code.
 * Each block has what the cleaning rules need: its kind, and how much of it is link text.
 * The kind `data` is set later, for numbers and dates that are part of the text.
 */

export type BlockKind = 'text' | 'heading' | 'item' | 'definition' | 'row' | 'code' | 'data'
/** `level`: 1 to 6, for headings only. `hasRelativeTime`: it contains a `<time>` such as "3 hours ago". */
export type Block = {
  text: string
  kind: BlockKind
  linkShare: number
  gap: '\n' | '\n\n'
  level?: number
  hasRelativeTime?: boolean
}

/** Rows, code and data are kept whatever they look like: a number there is part of the text. */
export const isAuthorData = ({ kind }: Block): boolean => kind === 'row' || kind === 'code' || kind === 'data'

export const joinBlocks = (blocks: readonly Block[]): string =>
  blocks.map((block, index) => (index === 0 ? block.text : block.gap + block.text)).join('')

// One character of these scripts says as much as two or three letters.
const DENSE_SCRIPTS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu
/** The length of a text in letters of an alphabet, so that "too short" means the same in every script. */
export const textWeight = (text: string): number => text.length + 1.5 * (text.match(DENSE_SCRIPTS)?.length ?? 0)

export const totalWeight = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, block) => sum + textWeight(block.text), 0)
