// Lists the effective configuration for `tidings config`: every key with its value and where it comes from. Secrets are masked.
import { redactText } from '../log/redact.ts'
import { camelCase, HOST_DELAY, HOST_OVERRIDES, KEYS } from './keys.ts'
import type { Resolved } from './resolve.ts'

export interface Setting {
  readonly key: string
  readonly value: unknown
  readonly from: string
}

export function describeConfig({ config, origins }: Resolved): Setting[] {
  const settings = KEYS.map(({ path, secret }) => {
    const key = `app.${path}`
    const value = masked(valueAt(config, camelCase(path).split('.')), secret === true)
    return { key, value, from: origins.get(key) ?? 'default' }
  })
  const hosts = Object.entries(config.source.hostOverrides).map(([host, { pollDelaySeconds }]) => {
    const key = `app.${HOST_OVERRIDES}.${host}.${HOST_DELAY}`
    return { key, value: pollDelaySeconds, from: origins.get(key) ?? 'default' }
  })
  const after = settings.findLastIndex(({ key }) => key.startsWith('app.source.poll-delay-seconds')) + 1
  return settings.toSpliced(after, 0, ...hosts)
}

function masked(value: unknown, secret: boolean): unknown {
  if (secret) return value === null ? null : '***'
  return typeof value === 'string' ? redactText(value) : value
}

function valueAt(tree: unknown, [name, ...rest]: readonly string[]): unknown {
  return name === undefined ? tree : valueAt((tree as Readonly<Record<string, unknown>>)[name], rest)
}
