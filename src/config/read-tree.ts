// Reads a layer from a tree of settings, such as a parsed file or the object that a caller passes.
// It reports unknown keys with a suggestion, and values where a mapping is expected.

import { closestMatch, didYouMean } from '../domain/did-you-mean.ts'
import { hostName } from './addresses.ts'
import { HOST_DELAY, HOST_OVERRIDES, KEYS } from './keys.ts'
import { show } from './kinds.ts'
import { emptyLayer, type GivenValue, type Layer, type LayerFormat } from './layer.ts'

const SECTIONS = new Set(KEYS.flatMap(({ path }) => prefixesOf(path)))
const PATHS = new Set(KEYS.map(({ path }) => path))

export function layerOf(tree: unknown, format: LayerFormat): Layer {
  const layer = emptyLayer()
  readTree(tree, [], format, layer)
  return layer
}

function readTree(tree: unknown, at: readonly string[], format: LayerFormat, layer: Layer): void {
  if (tree === null || tree === undefined) return
  const path = at.join('.')
  if (!isMapping(tree)) {
    report(layer, format, at, `expected a mapping, got ${show(tree)}`)
    return
  }
  for (const [written, value] of Object.entries(tree)) {
    if (value === undefined) continue
    const known = childrenOf(path).find((child) => format.spellName(child) === written)
    if (known === undefined) reportUnknown(written, at, format, layer)
    else readEntry(value, [...at, known], format, layer)
  }
}

function readEntry(value: unknown, at: readonly string[], format: LayerFormat, layer: Layer): void {
  const path = at.join('.')
  if (path === HOST_OVERRIDES) readHosts(value, at, format, layer)
  else if (!PATHS.has(path)) readTree(value, at, format, layer)
  else {
    const given = readLeaf(value, at, format, layer)
    if (given) layer.values.set(path, given)
  }
}

function readHosts(tree: unknown, at: readonly string[], format: LayerFormat, layer: Layer): void {
  if (tree === null || tree === undefined) return
  if (!isMapping(tree)) {
    report(layer, format, at, `expected a mapping of host names, got ${show(tree)}`)
    return
  }
  const field = format.spellName(HOST_DELAY)
  for (const [written, settings] of Object.entries(tree)) {
    const here = [...at, written]
    const host = hostName(written)
    if (host === null)
      report(layer, format, here, `expected a host name without scheme, port or path, got ${show(written)}`)
    else if (layer.hosts.has(host)) report(layer, format, here, `${host} is given twice`)
    else if (!isMapping(settings)) report(layer, format, here, `expected { ${field}: N }, got ${show(settings)}`)
    else readHost(host, settings, here, format, layer)
  }
}

function readHost(
  host: string,
  settings: Readonly<Record<string, unknown>>,
  at: readonly string[],
  format: LayerFormat,
  layer: Layer,
): void {
  const field = format.spellName(HOST_DELAY)
  for (const name of Object.keys(settings)) {
    if (name === field) continue
    const guess = didYouMean(closestMatch(name, [field]))
    layer.problems.push(`${asWritten(name, at, format)}: unknown key${guess}${format.where([...at, name])}`)
  }
  const value = settings[field]
  const given = value === undefined ? null : readLeaf(value, [...at, HOST_DELAY], format, layer)
  if (given) layer.hosts.set(host, given)
}

function readLeaf(value: unknown, at: readonly string[], format: LayerFormat, layer: Layer): GivenValue | null {
  const read = format.read(value, (problem) => report(layer, format, at, problem))
  return read && { ...read, origin: format.origin, where: format.where(at) }
}

function reportUnknown(written: string, at: readonly string[], format: LayerFormat, layer: Layer): void {
  const siblings = childrenOf(at.join('.')).map((child) => format.spellName(child))
  const elsewhere = KEYS.filter(({ path }) => format.spellName(path.split('.').at(-1) ?? '') === written)
  const guess = closestMatch(written, siblings) ?? (elsewhere[0] ? format.spellPath(elsewhere[0].path) : null)
  layer.problems.push(
    `${asWritten(written, at, format)}: unknown key${didYouMean(guess)}${format.where([...at, written])}`,
  )
}

// The unknown name is shown as written, because its spelling is the problem.
function asWritten(written: string, at: readonly string[], format: LayerFormat): string {
  const above = format.spellPath(at.join('.'))
  return above === '' ? written : `${above}.${written}`
}

function report(layer: Layer, format: LayerFormat, at: readonly string[], problem: string): void {
  layer.problems.push(`${format.spellPath(at.join('.')) || 'the configuration'}: ${problem}${format.where(at)}`)
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function prefixesOf(path: string): string[] {
  const segments = path.split('.')
  return segments.map((_, index) => segments.slice(0, index + 1).join('.'))
}

function childrenOf(path: string): string[] {
  const prefix = path === '' ? '' : `${path}.`
  const names = [...SECTIONS, HOST_OVERRIDES].filter((section) => section.startsWith(prefix))
  return [...new Set(names.map((section) => section.slice(prefix.length).split('.')[0] ?? ''))]
}
