// Merges the layers, lowest first, into one frozen Config with the origin of every value.
// If there are problems, it throws one ConfigError that lists all of them.

import { closestMatch, didYouMean } from '../domain/did-you-mean.ts'
import type { Config } from '../ports/config.ts'
import { camelCase, DEFAULT_HOST_OVERRIDES, delaySeconds, HOST_DELAY, HOST_OVERRIDES, KEYS } from './keys.ts'
import { type Kind, show } from './kinds.ts'
import type { GivenValue, Layer } from './layer.ts'

export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    const head =
      problems.length === 1 ? 'The configuration has a problem' : `The configuration has ${problems.length} problems`
    super(`${head}:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** Maps the full key (`app.source.max-failures`) to 'default', the name of a file, 'env APP_...' or a flag. */
export type Origins = ReadonlyMap<string, string>

export interface Resolved {
  readonly config: Config
  readonly origins: Origins
}

export function resolve(layers: readonly Layer[], spellPath: (path: string) => string): Resolved {
  const problems = layers.flatMap((layer) => layer.problems)
  const origins = new Map<string, string>()
  const tree: Tree = {}
  for (const key of KEYS) {
    let value = key.default
    let origin = 'default'
    for (const given of layers.map((layer) => layer.values.get(key.path)).filter((given) => given !== undefined)) {
      const checked = check(given, key.kind, key.secret === true)
      if ('problem' in checked) problems.push(`${spellPath(key.path)}: ${checked.problem}${given.where}`)
      else [value, origin] = [checked.value, given.origin]
    }
    setAt(tree, camelCase(key.path).split('.'), value)
    origins.set(`app.${key.path}`, origin)
  }
  setAt(tree, camelCase(HOST_OVERRIDES).split('.'), resolveHosts(layers, spellPath, problems, origins))
  if (problems.length === 0) problems.push(...contradictions(tree as unknown as Config, spellPath))
  if (problems.length > 0) throw new ConfigError(problems)
  // A test asserts that the table of keys has every leaf of Config.
  return { config: deepFreeze(tree) as unknown as Config, origins }
}

/** Values that are allowed one by one, but not together. */
function contradictions({ source }: Config, spellPath: (path: string) => string): string[] {
  const { minMinutes, maxMinutes } = source.adaptive
  if (minMinutes <= maxMinutes) return []
  const expected = `expected at least source.adaptive.min-minutes (${minMinutes}), got ${maxMinutes}`
  return [`${spellPath('source.adaptive.max-minutes')}: ${expected}`]
}

function resolveHosts(
  layers: readonly Layer[],
  spellPath: (path: string) => string,
  problems: string[],
  origins: Map<string, string>,
): Tree {
  const hosts = new Map<string, unknown>()
  const put = (host: string, pollDelaySeconds: unknown, origin: string) => {
    hosts.set(host, { pollDelaySeconds })
    origins.set(`app.${HOST_OVERRIDES}.${host}.${HOST_DELAY}`, origin)
  }
  for (const [host, seconds] of Object.entries(DEFAULT_HOST_OVERRIDES)) put(host, seconds, 'default')
  for (const [host, given] of layers.flatMap((layer) => [...layer.hosts])) {
    const checked = check(given, delaySeconds, false)
    if ('value' in checked) put(host, checked.value, given.origin)
    else problems.push(`${spellPath(`${HOST_OVERRIDES}.${host}.${HOST_DELAY}`)}: ${checked.problem}${given.where}`)
  }
  return Object.fromEntries(hosts)
}

function check(given: GivenValue, kind: Kind, secret: boolean): { value: unknown } | { problem: string } {
  const value = given.isText ? kind.fromText(String(given.value)) : given.value
  const checked = kind.check(value)
  if ('value' in checked) return checked
  const got = secret ? 'something else' : (checked.got ?? show(value))
  const guess = typeof value === 'string' && kind.choices ? closestMatch(value, kind.choices) : null
  return { problem: `expected ${checked.expected}, got ${got}${didYouMean(guess)}` }
}

interface Tree {
  [name: string]: unknown
}

function setAt(tree: Tree, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    tree[name] = value
    return
  }
  tree[name] ??= {}
  setAt(tree[name] as Tree, rest, value)
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner)
    Object.freeze(value)
  }
  return value
}
