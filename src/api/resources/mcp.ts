// MCP for AI clients, over Streamable HTTP. Its tools ask this API with the caller's own token.
import type { ApiParts } from '../parts.ts'
import { ANY_PARAMETERS, type Route, route } from '../route.ts'

export function mcpRoutes({ config, version, sendAs }: ApiParts): Route[] {
  if (!config.mcp.enabled) return []
  return [
    route({
      ...{ method: 'POST', path: '/mcp', tag: 'MCP', summary: 'Model Context Protocol', accepts: 'json-text' },
      query: ANY_PARAMETERS,
      answers: { 200: 'application/json' },
      async handle(call) {
        // Loaded with the first request: most processes never need it.
        const { answerMcp } = await import('../../mcp/http.ts')
        const options = { send: sendAs(call), version, write: config.mcp.write }
        const { status, contentType, text } = await answerMcp(options, { headers: call.headers, body: call.body ?? '' })
        return contentType === null ? { status } : { status, text, contentType }
      },
    }),
  ]
}
