/** What a document has written, with where it stood: interpreted only when all of the document is known. */
import type { ElementText } from './element-text.ts'
import type { TextKind } from './text-kind.ts'

export type WrittenLink = {
  href: string | ElementText
  base: string | null
  rel: string
  type: string | null
  depth: number
}
export type RankedText = { text: ElementText; kind: TextKind; rank: number; depth: number }
export type PersonDraft = { name: string; email: string; rank: number; depth: number }
export type WrittenGuid = { text: string | ElementText; permaLink: boolean | null; base: string | null; depth: number }
export type WrittenDate = { text: string | ElementText; rank: number; depth: number }
