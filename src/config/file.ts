// The file's layer: YAML, kebab-case under `app`, with the line of every key for the error messages.
import { type Document, isMap, isScalar, LineCounter, parseDocument } from 'yaml'
import { emptyLayer, type Layer, layerOf, meant, type Place } from './layer.ts'
import { nearest } from './nearest.ts'
import { fillPlaceholders } from './placeholders.ts'

type Environment = Readonly<Record<string, string | undefined>>

export function fileLayer(name: string, content: string, env: Environment): Layer {
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
  const layer = layerOf((tree as Record<string, unknown>).app, filePlace(name, env, where))
  const strangers = Object.keys(tree).filter((key) => key !== 'app')
  const unknown = strangers.map((key) => `${key}: unknown key${meant(strangerMeant(key))}${where([key])}`)
  return { ...layer, problems: [...unknown, ...layer.problems] }
}

/** Aliases are followed only here: one without its anchor, or a heap of them, shows now. */
function treeOf(document: Document): unknown {
  try {
    return document.toJS()
  } catch (error) {
    return error instanceof ReferenceError ? error : new ReferenceError(String(error))
  }
}

const SECTIONS = ['server', 'database', 'encryption', 'source', 'http', 'x', 'log']

function strangerMeant(key: string): string | null {
  return SECTIONS.includes(key) ? `app.${key}` : nearest(key, ['app'])
}

function filePlace(name: string, env: Environment, where: Place['where']): Place {
  return {
    origin: name,
    spellSegment: (segment) => segment,
    spell: (path) => (path === '' ? 'app' : `app.${path}`),
    where: (at) => where(['app', ...at]),
    read: (value, report) => readValue(value, env, report),
  }
}

function readValue(value: unknown, env: Environment, report: (problem: string) => void): ReturnType<Place['read']> {
  if (Array.isArray(value)) {
    const items = value.map((item) => readValue(item, env, report))
    // A broken one is told already; the others are still to be judged.
    return { value: items.filter((item) => item !== null).map((item) => item.value), isText: false }
  }
  const filled = typeof value === 'string' ? fillPlaceholders(value, env) : { kind: 'literal' as const }
  if (filled.kind === 'literal') return { value, isText: false }
  if (filled.kind === 'filled') return { value: filled.text, isText: true }
  report(filled.problem)
  return null
}

// The deepest key of the path that is written out; aliases and merges have no place of their own.
function lineOf(contents: unknown, path: readonly string[], lines: LineCounter): number | null {
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
