// A layer is what one place says (a file, the environment, the command line, a caller): values by key path,
// where each was written, and what is wrong with how they are spelled. Whether a value is good is asked later.
import { hostName } from './addresses.ts'
import { HOST_DELAY, HOST_OVERRIDES, KEYS } from './keys.ts'
import { show } from './kinds.ts'
import { nearest } from './nearest.ts'

export interface Given {
  readonly value: unknown
  /** Written as text where only text can be written: to be read by the key's kind. */
  readonly isText: boolean
  /** As `tidings config` names it. */
  readonly origin: string
  /** As an error names it, such as ` (tidings.yaml:4)`. */
  readonly where: string
}

export interface Layer {
  readonly values: Map<string, Given>
  readonly hosts: Map<string, Given>
  readonly problems: string[]
}

export function emptyLayer(): Layer {
  return { values: new Map(), hosts: new Map(), problems: [] }
}

/** How a place spells keys and tells where one stands. */
export interface Place {
  readonly origin: string
  spellSegment(kebab: string): string
  spell(path: string): string
  where(segments: readonly string[]): string
  /** The value with its placeholders filled; null when that failed and was reported. */
  read(value: unknown, report: (problem: string) => void): Pick<Given, 'value' | 'isText'> | null
}

const SECTIONS = new Set(KEYS.flatMap(({ path }) => prefixesOf(path)))
const PATHS = new Set(KEYS.map(({ path }) => path))

export function layerOf(tree: unknown, place: Place): Layer {
  const layer = emptyLayer()
  walk(tree, [], place, layer)
  return layer
}

function walk(tree: unknown, at: readonly string[], place: Place, layer: Layer): void {
  if (tree === null || tree === undefined) return
  const path = at.join('.')
  if (!isMapping(tree)) {
    report(layer, place, at, `expected a mapping, got ${show(tree)}`)
    return
  }
  for (const [written, value] of Object.entries(tree)) {
    if (value === undefined) continue
    const known = childrenOf(path).find((child) => place.spellSegment(child) === written)
    if (known === undefined) reportUnknown(written, at, place, layer)
    else step(value, [...at, known], place, layer)
  }
}

function step(value: unknown, at: readonly string[], place: Place, layer: Layer): void {
  const path = at.join('.')
  if (path === HOST_OVERRIDES) walkHosts(value, at, place, layer)
  else if (!PATHS.has(path)) walk(value, at, place, layer)
  else {
    const given = give(value, at, place, layer)
    if (given) layer.values.set(path, given)
  }
}

function walkHosts(tree: unknown, at: readonly string[], place: Place, layer: Layer): void {
  if (tree === null || tree === undefined) return
  if (!isMapping(tree)) {
    report(layer, place, at, `expected a mapping of host names, got ${show(tree)}`)
    return
  }
  const field = place.spellSegment(HOST_DELAY)
  for (const [written, settings] of Object.entries(tree)) {
    const here = [...at, written]
    const host = hostName(written)
    if (host === null)
      report(layer, place, here, `expected a host name without scheme, port or path, got ${show(written)}`)
    else if (layer.hosts.has(host)) report(layer, place, here, `${host} is given twice`)
    else if (!isMapping(settings)) report(layer, place, here, `expected { ${field}: N }, got ${show(settings)}`)
    else walkHost(host, settings, here, place, layer)
  }
}

function walkHost(
  host: string,
  settings: Readonly<Record<string, unknown>>,
  at: readonly string[],
  place: Place,
  layer: Layer,
): void {
  const field = place.spellSegment(HOST_DELAY)
  for (const name of Object.keys(settings)) {
    if (name === field) continue
    const guess = meant(nearest(name, [field]))
    layer.problems.push(`${asWritten(name, at, place)}: unknown key${guess}${place.where([...at, name])}`)
  }
  const value = settings[field]
  if (value === undefined) report(layer, place, at, `expected { ${field}: N }, got no ${field}`)
  const given = value === undefined ? null : give(value, [...at, HOST_DELAY], place, layer)
  if (given) layer.hosts.set(host, given)
}

function give(value: unknown, at: readonly string[], place: Place, layer: Layer): Given | null {
  const read = place.read(value, (problem) => report(layer, place, at, problem))
  return read && { ...read, origin: place.origin, where: place.where(at) }
}

function reportUnknown(written: string, at: readonly string[], place: Place, layer: Layer): void {
  const siblings = childrenOf(at.join('.')).map((child) => place.spellSegment(child))
  const elsewhere = KEYS.filter(({ path }) => place.spellSegment(path.split('.').at(-1) ?? '') === written)
  const guess = nearest(written, siblings) ?? (elsewhere[0] ? place.spell(elsewhere[0].path) : null)
  layer.problems.push(`${asWritten(written, at, place)}: unknown key${meant(guess)}${place.where([...at, written])}`)
}

// Not respelled: it is the spelling that is wrong.
function asWritten(written: string, at: readonly string[], place: Place): string {
  const above = place.spell(at.join('.'))
  return above === '' ? written : `${above}.${written}`
}

export function meant(guess: string | null): string {
  return guess === null ? '' : `, did you mean ${guess}?`
}

function report(layer: Layer, place: Place, at: readonly string[], problem: string): void {
  layer.problems.push(`${place.spell(at.join('.')) || 'the configuration'}: ${problem}${place.where(at)}`)
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
