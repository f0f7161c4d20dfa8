// Reads settings from a YAML file: kebab-case keys under `app`. Error messages name the line of the key.
import { createRequire } from 'node:module'
import type { Document, LineCounter } from 'yaml'
import { closestMatch, didYouMean } from '../domain/did-you-mean.ts'
import { emptyLayer, type Layer, type LayerFormat } from './layer.ts'
import { fillPlaceholders } from './placeholders.ts'
import { layerOf } from './read-tree.ts'

type Environment = Readonly<Record<string, string | undefined>>

// Loaded only if there is a file. It is loaded synchronously, because the configuration is read that way.
const require = createRequire(import.meta.url)
const yaml = () => require('yaml') as typeof import('yaml')

export function fileLayer(name: string, content: string, env: Environment): Layer {
  const { LineCounter, parseDocument } = yaml()
  const lines = new LineCounter()
  const document = parseDocument(content, { lineCounter: lines, merge: true, prettyErrors: false })
  if (document.errors.length > 0) {
    const problems = document.errors.map(
      (error) => `${name}:${lines.linePos(error.pos[0]).line}: not valid YAML: ${error.message}`,
    )
    return { ...emptyLayer(), problems }
  }
  const tree = treeOf(document)
  if (tree instanceof Error) return { ...emptyLayer(), problems: [`${name}: not valid YAML: ${tree.message}`] }
  if (tree === null || tree === undefined) return emptyLayer()
  if (typeof tree !== 'object' || Array.isArray(tree)) {
    return { ...emptyLayer(), problems: [`${name}: expected a mapping that begins with "app:"`] }
  }
  const where = (path: readonly string[]) => {
    const line = lineOf(document.contents, path, lines)
    return line === null ? ` (${name})` : ` (${name}:${line})`
  }
  const layer = layerOf((tree as Record<string, unknown>).app, fileFormat(name, env, where))
  const unknownKeys = Object.keys(tree).filter((key) => key !== 'app')
  const unknown = unknownKeys.map((key) => `${key}: unknown key${didYouMean(suggestionFor(key))}${where([key])}`)
  return { ...layer, problems: [...unknown, ...layer.problems] }
}

/** YAML aliases are resolved here. It fails if an anchor is missing or if there are too many aliases. */
function treeOf(document: Document): unknown {
  try {
    return document.toJS()
  } catch (error) {
    return error instanceof ReferenceError ? error : new ReferenceError(String(error))
  }
}

const SECTIONS = ['server', 'database', 'encryption', 'source', 'http', 'x', 'log']

function suggestionFor(key: string): string | null {
  return SECTIONS.includes(key) ? `app.${key}` : closestMatch(key, ['app'])
}

function fileFormat(name: string, env: Environment, where: LayerFormat['where']): LayerFormat {
  return {
    origin: name,
    spellName: (segment) => segment,
    spellPath: (path) => (path === '' ? 'app' : `app.${path}`),
    where: (at) => where(['app', ...at]),
    read: (value, report) => readValue(value, env, report),
  }
}

function readValue(
  value: unknown,
  env: Environment,
  report: (problem: string) => void,
): ReturnType<LayerFormat['read']> {
  if (Array.isArray(value)) {
    const items = value.map((item) => readValue(item, env, report))
    // A broken item is already reported. The other items are still checked.
    return { value: items.filter((item) => item !== null).map((item) => item.value), isText: false }
  }
  const filled = typeof value === 'string' ? fillPlaceholders(value, env) : { kind: 'literal' as const }
  if (filled.kind === 'literal') return { value, isText: false }
  if (filled.kind === 'filled') return { value: filled.text, isText: true }
  report(filled.problem)
  return null
}

// The line of the deepest key that is written out. Aliases and merged keys have no line of their own.
function lineOf(contents: unknown, path: readonly string[], lines: LineCounter): number | null {
  const { isMap, isScalar } = yaml()
  let node: unknown = contents
  let line: number | null = null
  for (const segment of path) {
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && String(key.value) === segment) : undefined
    if (!pair) break
    const start = isScalar(pair.key) ? pair.key.range?.[0] : undefined
    if (start !== undefined) line = lines.linePos(start).line
    node = pair.value
  }
  return line
}
