// `mcp`: the Model Context Protocol on standard input and output, for AI clients that start a program.
import { Command } from 'commander'
import { Refused, type RestReply, type RestRequest, type SendRequest } from '../../mcp/rest.ts'
import type { Cli } from '../cli.ts'
import type { CommandContext } from '../command-context.ts'
import { type Connection, connect, namedServer, resolvedConfig } from '../connection/connect.ts'
import { CliFailure, Unreachable } from '../failure.ts'
import { type CommonOptions, withCommonOptions } from '../options.ts'

interface McpCommandOptions extends CommonOptions {
  readonly write?: boolean
}

export function mcpCommand(cli: Cli): Command {
  return withCommonOptions(new Command('mcp'))
    .description('serve AI clients over the Model Context Protocol, on standard input and output')
    .option('--write', 'also offer tools that change something (default: app.mcp.write)')
    .addHelpText('after', '\nAn AI client starts this command itself. docs/mcp.md shows how to configure it.')
    .action(
      cli.withoutClient(async (_output, options: McpCommandOptions) => {
        const { context } = cli
        const { serveStdio } = await import('../../mcp/stdio.ts')
        const connections = createConnections(context, options)
        const write = options.write ?? isWriteConfigured(context, options)
        await serveStdio({ send: connections.send, version: context.version, write }, context)
        await connections.close()
        return 0
      }),
    )
}

/** A named server has its own configuration, and ours says nothing about it. */
function isWriteConfigured(context: CommandContext, options: CommonOptions): boolean {
  return namedServer(context, options) === undefined && resolvedConfig(context, options).config.mcp.write
}

// Long enough for the requests of one tool to share a connection.
const IDLE_MS = 1000

/**
 * A client may stay for days. So the store is opened for the time of a request only: a `serve` can start meanwhile, and
 * the next request goes through it.
 */
function createConnections(context: CommandContext, options: CommonOptions) {
  let current: Promise<Connection> | null = null
  let inUse = 0
  let idle: NodeJS.Timeout | undefined

  async function close(): Promise<void> {
    clearTimeout(idle)
    const closing = current
    current = null
    await (await closing?.catch(() => null))?.close()
  }

  async function sendOnce(request: RestRequest): Promise<RestReply> {
    clearTimeout(idle)
    inUse++
    current ??= connect(context, options)
    const used = current
    try {
      return await (await used).transport.send(request)
    } catch (error) {
      // A `serve` that ended is not asked again.
      if (current === used) await close()
      throw error
    } finally {
      inUse--
      if (inUse === 0) idle = setTimeout(() => void close(), IDLE_MS)
    }
  }

  const send: SendRequest = async (request) => {
    try {
      return await sendOnce(request).catch((error) => {
        // The `serve` that answered the request before may have ended since. Nothing is changed by asking again.
        if (error instanceof Unreachable && request.method === 'GET') return sendOnce(request)
        throw error
      })
    } catch (error) {
      throw error instanceof CliFailure ? new Refused(withRemedy(error), 503) : error
    }
  }
  return { send, close }
}

/** Other failures of commands say what to do themselves. */
function withRemedy(failure: CliFailure): string {
  if (!(failure instanceof Unreachable)) return failure.message
  return `${failure.message}\nTry again in a moment. If it stays so, start the server, or correct --server of this client.`
}
