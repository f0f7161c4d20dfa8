// What `serve` prints after its start: where things are, and what to do next.
import { redactText } from '../../log.ts'
import type { Config } from '../../ports/config.ts'
import type { CommonOptions } from '../options.ts'

export interface StartupNotice {
  readonly url: string
  readonly config: Config
  readonly version: string
  /** The options that name the store, as they were given to this command. */
  readonly options: Pick<CommonOptions, 'config' | 'data' | 'database'>
}

export function startupNotice({ url, config, version, options }: StartupNotice): string {
  const store = sameStore(options)
  const width = 'npx tidings add https://example.org/'.length + store.length + 4
  const hint = (command: string, meaning: string) => `  ${`npx tidings ${command}${store}`.padEnd(width)} ${meaning}`
  const base = (config.server.publicUrl ?? url).replace(/\/$/, '')
  return `Tidings ${version} is running

  Dashboard  ${base}/
  API        ${base}/api, described at ${base}/docs
  Store      ${redactText(config.database.url).replace(/^file:/, '')}

Next: open the dashboard, or in another terminal
${hint('add https://example.org/', 'add a source')}
${hint('list', 'show sources and their health')}
  ${'npx tidings --help'.padEnd(width)} everything else${tokenHint(config, store)}
Ctrl-C ends it.
`
}

/** So that a command in another terminal, and in another folder, works on the same store. */
function sameStore({ config, data, database }: StartupNotice['options']): string {
  const given = Object.entries({ config, data, database }).filter(([, value]) => value !== undefined)
  return given.map(([name, value]) => ` --${name} ${quoted(redactText(String(value)))}`).join('')
}

function quoted(value: string): string {
  return /^[\w./:@%+=,-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`
}

function tokenHint({ server }: Config, store: string): string {
  const needsToken = server.auth === 'required' || (server.auth === 'auto' && server.publicUrl !== null)
  const isBeyondLoopback = server.auth === 'auto' && !/^(127\.|::1$|localhost$)/.test(server.host)
  if (!needsToken && !isBeyondLoopback) return ''
  return `\n\nThe API needs a token:\n  npx tidings token create --user default --admin${store}\n`
}
