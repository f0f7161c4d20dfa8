// The pages that people read, and the code in them: fenced blocks, and spans between backticks.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface Block {
  /** `docs/api.md:7`: the page and the line of the fence. */
  readonly place: string
  readonly page: string
  readonly language: string
  readonly text: string
}

export interface Span {
  readonly place: string
  readonly text: string
}

/** Decisions are history: what they quote may be gone. */
export function readPages(): ReadonlyMap<string, string> {
  const top = readdirSync(ROOT).filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md')
  const below = ['docs', 'examples', 'deploy'].flatMap((folder) => {
    const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    return names.filter((name) => name.endsWith('.md')).map((name) => join(folder, name))
  })
  const pages = [...top, ...below].filter((page) => !page.startsWith(join('docs', 'decisions')))
  return new Map(pages.toSorted().map((page) => [page, readFileSync(join(ROOT, page), 'utf8')]))
}

export function blocksOf(page: string, content: string): Block[] {
  const fences = [...content.matchAll(/^( *)```(\S*)\n([\s\S]*?)^ *```$/gm)]
  return fences.map(({ 1: indent = '', 2: language = '', 3: text = '', index }) => ({
    place: `${page}:${lineAt(content, index)}`,
    page,
    language,
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }))
}

export function spansOf(page: string, content: string): Span[] {
  const prose = content.replace(/^ *```[\s\S]*?^ *```$/gm, (fence) => fence.replace(/[^\n]/g, ' '))
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(({ 1: text = '', index }) => ({
    place: `${page}:${lineAt(content, index)}`,
    text: text.replaceAll('\\|', '|'),
  }))
}

/** Code by four blanks has no language, so no test could tell what it is. */
export function indentedCode(page: string, content: string): string[] {
  const prose = content.replace(/^ *```[\s\S]*?^ *```$/gm, (fence) => fence.replace(/[^\n]/g, ''))
  const lines = prose.split('\n')
  return lines.flatMap((line, at) => (/^ {4}\S/.test(line) && !lines[at - 1]?.trim() ? [`${page}:${at + 1}`] : []))
}

export function placeOf(file: string): string {
  return relative(ROOT, file)
}

function lineAt(content: string, index: number): number {
  return content.slice(0, index).split('\n').length
}
