// The SDK's own client, as AI applications use it. Its calls check each answer against the tool's output schema.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

export interface Called {
  readonly isError: boolean
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came back
  readonly answer: any
  /** Of everything that was sent. */
  readonly characters: number
}

export interface McpClient extends AsyncDisposable {
  readonly client: Client
  toolNames(): Promise<string[]>
  call(name: string, given?: Record<string, unknown>): Promise<Called>
}

export async function connectMcp(transport: Transport): Promise<McpClient> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  // From now on the client checks answers against output schemas.
  const { tools } = await client.listTools()
  return {
    client,
    toolNames: async () => tools.map(({ name }) => name),
    async call(name, given = {}) {
      const result = await client.callTool({ name, arguments: given })
      const [content] = result.content as { text: string }[]
      return {
        isError: result.isError === true,
        text: content?.text ?? '',
        answer: result.structuredContent,
        characters: JSON.stringify(result).length,
      }
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

export function mcpOverHttp(url: string, token?: string): Promise<McpClient> {
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
  // The SDK's classes disagree with its interface about undefined.
  return connectMcp(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }) as Transport)
}
