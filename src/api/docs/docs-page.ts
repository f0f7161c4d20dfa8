// The API description for people: one page without scripts, built from the OpenAPI document, with curl commands to copy.
import type { Route } from '../route.ts'
import { escapeHtml } from './escape-html.ts'
import type { OpenApi, Operation, Parameter } from './openapi.ts'

export function docsRoute(description: () => OpenApi): Route {
  return {
    ...{ method: 'GET', path: '/docs', tag: 'Pages', access: 'anyone', summary: 'The API for people' },
    answers: { 200: 'text/html' },
    handle: () => ({ status: 200, text: pageOf(description()), contentType: 'text/html; charset=utf-8' }),
  }
}

function pageOf({ info, paths, components }: OpenApi): string {
  const operations = Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const byTag = Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? '')
  const nav = [...byTag.keys()].map((tag) => `<a href="#${escapeHtml(tag)}">${escapeHtml(tag)}</a>`).join(' ')
  const sections = [...byTag].map(
    ([tag, of]) => `<h2 id="${escapeHtml(tag)}">${escapeHtml(tag)}</h2>${of.map(operationHtml).join('')}`,
  )
  const schemas = Object.entries(components.schemas as object).map(
    ([name, schema]) =>
      `<details id="schema-${escapeHtml(name)}"><summary>${escapeHtml(name)}</summary>${code(schema)}</details>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tidings API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="/docs.css"></head>
<body><header><h1>Tidings API <small>${escapeHtml(info.version)}</small></h1>
<p>Errors are <code>application/problem+json</code> with a stable <code>code</code>. Lists take <code>limit</code> and
<code>cursor</code>. When a token is needed, send <code>Authorization: Bearer ...</code>.
For machines: <a href="/openapi.json">openapi.json</a>. <a href="/">Dashboard</a>.</p><nav>${nav}</nav></header>
<main>${sections.join('')}<h2>Schemas</h2>${schemas.join('')}</main></body></html>`
}

function operationHtml({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  return `<details class="operation"><summary><b class="${method}">${method}</b> <code>${escapeHtml(path)}</code>
<span>${escapeHtml(operation.summary)}</span></summary>
${parametersHtml(operation.parameters)}${bodyHtml(operation)}
<h4>Answers</h4>${code(operation.responses)}<h4>Try it</h4><pre>${escapeHtml(curl(path, method, operation))}</pre></details>`
}

function parametersHtml(parameters: readonly Parameter[]): string {
  const rows = parameters.map(
    ({ name, in: place, description, schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${place}</td><td>${escapeHtml(description ?? '')}</td><td><code>${escapeHtml(JSON.stringify(schema))}</code></td></tr>`,
  )
  return rows.length === 0 ? '' : `<h4>Parameters</h4><table>${rows.join('')}</table>`
}

function bodyHtml({ requestBody }: Operation): string {
  return requestBody ? `<h4>Body</h4>${code(requestBody.content)}` : ''
}

function curl(path: string, method: string, { requestBody, security }: Operation): string {
  const url = `http://127.0.0.1:8085${path.replace('{user}', 'default').replace('{podcast}', 'default')}`
  const token = security ? '' : ` \\\n  -H "Authorization: Bearer $TIDINGS_TOKEN"`
  const types = Object.keys((requestBody?.content ?? {}) as object)
  const body = types.includes('text/xml')
    ? ` \\\n  -H 'Content-Type: text/xml' --data-binary @feeds.opml`
    : types.length > 0
      ? ` \\\n  -H 'Content-Type: application/json' -d '${JSON.stringify(exampleOf(requestBody))}'`
      : ''
  return `curl${method === 'GET' ? '' : ` -X ${method}`} '${url}'${token}${body}`
}

/** An example body: the required fields with plausible values. */
function exampleOf(requestBody: Record<string, unknown> | undefined): Record<string, unknown> {
  const content = requestBody?.content as { 'application/json'?: { schema?: ObjectSchema } } | undefined
  const { properties = {}, required = [] } = content?.['application/json']?.schema ?? {}
  return Object.fromEntries(required.map((name) => [name, exampleValue(name, properties[name])]))
}

interface ObjectSchema {
  readonly properties?: Record<string, { readonly type?: string; readonly enum?: readonly string[] }>
  readonly required?: readonly string[]
}

function exampleValue(
  name: string,
  schema: { readonly type?: string; readonly enum?: readonly string[] } | undefined,
): unknown {
  if (schema?.enum) return schema.enum[0]
  if (name === 'url') return 'https://example.org/feed.xml'
  return schema?.type === 'array' ? [] : schema?.type === 'integer' ? 1 : '...'
}

function code(value: unknown): string {
  return `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`
}
