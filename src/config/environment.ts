// Reads settings from the environment: app.source.max-failures is APP_SOURCE_MAX_FAILURES.
// Variables of other programs (APP_NAME) are ignored. An unknown name in one of our sections is a problem.

import { closestMatch, didYouMean } from '../domain/did-you-mean.ts'
import { environmentName, HOST_OVERRIDES, KEYS } from './keys.ts'
import { emptyLayer, type Layer } from './layer.ts'

const NAMES: ReadonlyMap<string, string> = new Map(KEYS.map(({ path }) => [environmentName(path), path]))
const SECTIONS = new Set(KEYS.map(({ path }) => `${environmentName(path.split('.')[0] ?? '')}_`))

export function environmentLayer(env: Readonly<Record<string, string | undefined>>): Layer {
  const layer = emptyLayer()
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue
    const path = NAMES.get(name)
    if (path !== undefined) {
      layer.values.set(path, { value, isText: true, origin: `env ${name}`, where: ` (environment variable ${name})` })
    } else if ([...SECTIONS].some((section) => name.startsWith(section))) {
      layer.problems.push(`${name}: ${problemWith(name)}`)
    }
  }
  return layer
}

function problemWith(name: string): string {
  if (name.startsWith(environmentName(HOST_OVERRIDES))) return `app.${HOST_OVERRIDES} can only be set in a file`
  return `unknown environment variable${didYouMean(closestMatch(name, NAMES.keys()))}`
}
