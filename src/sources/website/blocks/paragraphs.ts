/** What tells a paragraph of running text from labels, teasers and headings. */
import { type Block, weightOf } from './blocks.ts'

const PARAGRAPH_CHARS = 80

export const isParagraph = (block: Block): boolean =>
  block.kind !== 'heading' &&
  block.linkShare < 0.5 &&
  weightOf(block.text) >= PARAGRAPH_CHARS &&
  /[.!?…。！？]/u.test(block.text)

export const endsSentence = (text: string): boolean => /[.!?…。！？"”’»)\]:]\s*$/u.test(text)
