// What `serve` prints after its start: where things are, and what to do next.
import { redactText } from '../../log.ts'
import type { Config } from '../../ports/config.ts'

export interface StartupNotice {
  readonly url: string
  readonly config: Config
  readonly version: string
}

export function startupNotice({ url, config, version }: StartupNotice): string {
  const base = (config.server.publicUrl ?? url).replace(/\/$/, '')
  return `Tidings ${version} is running

  Dashboard  ${base}/
  API        ${base}/api, described at ${base}/docs
  Store      ${redactText(config.database.url).replace(/^file:/, '')}

Next: open the dashboard, or in another terminal
  npx tidings add https://example.org/     add a source
  npx tidings list                         show sources and their health
  npx tidings --help                       everything else${tokenHint(config)}
Ctrl-C ends it.
`
}

function tokenHint({ server }: Config): string {
  const needsToken = server.auth === 'required' || (server.auth === 'auto' && server.publicUrl !== null)
  const isBeyondLoopback = server.auth === 'auto' && !/^(127\.|::1$|localhost$)/.test(server.host)
  if (!needsToken && !isBeyondLoopback) return ''
  return '\n\nThe API needs a token:\n  npx tidings token create --user default --admin\n'
}
