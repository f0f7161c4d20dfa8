// The product behind the commands: app and API in this process, opened and closed together. A process that serves or
// polls loads all of it, a command only what it uses.
import type { OpenedApp, OpenRequest } from './cli/command-context.ts'

export async function openApp(request: OpenRequest): Promise<OpenedApp> {
  if (request.isForCommand) return (await import('./open-app/for-command.ts')).openForCommand(request)
  return (await import('./open-app/for-others.ts')).openForOthers(request)
}
