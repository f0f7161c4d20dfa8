/** Tells paragraphs of running text from labels, teasers and headings. */
import { type Block, textWeight } from './block.ts'

const PARAGRAPH_CHARS = 80

export const isParagraph = (block: Block): boolean =>
  block.kind !== 'heading' &&
  block.linkShare < 0.5 &&
  textWeight(block.text) >= PARAGRAPH_CHARS &&
  /[.!?…。！？]/u.test(block.text)

export const endsSentence = (text: string): boolean => /[.!?…。！？"”’»)\]:]\s*$/u.test(text)
