// MCP over Streamable HTTP without sessions: each POST gets a server of its own and one JSON answer.
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { createMcpServer, type McpOptions } from './server.ts'

export interface McpHttpRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

export interface McpHttpAnswer {
  readonly status: number
  readonly contentType: string | null
  readonly text: string
}

export async function answerMcp(options: McpOptions, { headers, body }: McpHttpRequest): Promise<McpHttpAnswer> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const server = createMcpServer(options)
  await server.connect(transport)
  try {
    const passed = ['accept', 'content-type', 'mcp-protocol-version'].flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value] as [string, string]] : []
    })
    // The transport reads headers and body only; the address is needed to make a request at all.
    const response = await transport.handleRequest(
      new Request('http://localhost/mcp', { method: 'POST', headers: passed, body }),
    )
    return { status: response.status, contentType: response.headers.get('content-type'), text: await response.text() }
  } finally {
    await server.close()
  }
}
