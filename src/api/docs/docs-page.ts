// The API description for people: one page built from the OpenAPI document, with tables of fields, examples, forms to try
// each path, and curl commands to copy. Without scripts everything but the forms works.
import type { Route } from '../route.ts'
import { escapeHtml } from './escape-html.ts'
import { exampleOf, fieldTable, kindOf, type Named, type Schema } from './field-table.ts'
import type { OpenApi, Operation, Parameter } from './openapi.ts'

export function docsRoute(description: () => OpenApi): Route {
  return {
    ...{ method: 'GET', path: '/docs', tag: 'Pages', access: 'anyone', summary: 'The API for people' },
    answers: { 200: 'text/html' },
    handle: () => ({ status: 200, text: pageOf(description()), contentType: 'text/html; charset=utf-8' }),
  }
}

function pageOf({ info, paths, components }: OpenApi): string {
  const named = components.schemas as Named
  const operations = Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const byTag = Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? '')
  const nav = [...byTag.keys()].map((tag) => `<a href="#${escapeHtml(tag)}">${escapeHtml(tag)}</a>`).join(' ')
  const sections = [...byTag].map(([tag, of]) => {
    const shown = of.map((each) => operationHtml(each, named)).join('')
    return `<h2 id="${escapeHtml(tag)}">${escapeHtml(tag)}</h2>${shown}`
  })
  const schemas = Object.entries(named).map(
    ([name, schema]) =>
      `<details id="schema-${escapeHtml(name)}"><summary>${escapeHtml(name)}</summary>${fieldTable(schema, named)}<h4>Example</h4>${code(exampleOf(schema, named, true))}</details>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tidings API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="/docs.css">
<script type="module" src="/docs.js"></script></head>
<body><header><h1>Tidings API <small>${escapeHtml(info.version)}</small></h1>
<p>Errors are <code>application/problem+json</code> with a stable <code>code</code>. Lists take <code>limit</code> and
<code>cursor</code>. When a token is needed, send <code>Authorization: Bearer ...</code>; <code>tidings token create</code> makes one.
For machines: <a href="/openapi.json">openapi.json</a>. <a href="/">Dashboard</a>.</p>
<p><label>Token for the forms on this page <input id="token" type="password" autocomplete="off"></label></p><nav>${nav}</nav></header>
<main>${sections.join('')}<h2>Schemas</h2>${schemas.join('')}</main></body></html>`
}

interface Described {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}

function operationHtml(described: Described, named: Named): string {
  const { path, method, operation } = described
  const body = bodySchema(operation)
  const fields = body ? `<h4>Body</h4>${fieldTable(body, named)}` : ''
  return `<details class="operation"><summary><b class="${method}">${method}</b> <code>${escapeHtml(path)}</code>
<span>${escapeHtml(operation.summary)}</span></summary>
${parametersHtml(operation.parameters)}${fields}${answersHtml(operation, named)}
<h4>Try it</h4>${formHtml(described, named)}<pre>${escapeHtml(curl(described, named))}</pre></details>`
}

function parametersHtml(parameters: readonly Parameter[]): string {
  const rows = parameters.map(
    ({ name, in: place, description, schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${place}</td><td>${kindOf(schema as Schema)}</td><td>${escapeHtml(description ?? '')}</td></tr>`,
  )
  if (rows.length === 0) return ''
  const head = '<thead><tr><th>Name</th><th>In</th><th>Kind</th><th>Meaning</th></tr></thead>'
  return `<h4>Parameters</h4><table>${head}<tbody>${rows.join('')}</tbody></table>`
}

function answersHtml({ responses }: Operation, named: Named): string {
  const shown = Object.entries(responses).flatMap(([status, { content, description }]) => {
    if (status === 'default') return []
    const types = Object.entries((content ?? {}) as Record<string, { schema?: Schema }>)
    const [type, { schema } = {}] = types[0] ?? []
    if (!schema) return [`<h4>${status}: ${escapeHtml(type ?? String(description))}</h4>`]
    return [`<h4>${status}: ${kindOf(schema)}</h4>${fieldTable(schema, named)}${code(exampleOf(schema, named, true))}`]
  })
  return `${shown.join('')}<p>Anything else is a <a href="#schema-Problem">Problem</a>.</p>`
}

function formHtml({ path, method, operation }: Described, named: Named): string {
  const inputs = operation.parameters.map(({ name, in: place }) => {
    const usual = place === 'path' && (name === 'user' || name === 'podcast') ? ' value="default"' : ''
    const needed = place === 'path' ? ' required' : ''
    return `<label>${escapeHtml(name)} <input name="${place}:${escapeHtml(name)}"${usual}${needed}></label>`
  })
  const [type] = bodyTypes(operation)
  const schema = bodySchema(operation)
  const example = schema ? JSON.stringify(exampleOf(schema, named, false), null, 2) : ''
  const body = type ? `<label>Body <textarea name="body" rows="6">${escapeHtml(example)}</textarea></label>` : ''
  const about = `data-method="${method}" data-path="${escapeHtml(path)}" data-type="${escapeHtml(type ?? '')}"`
  return `<form class="try" ${about}>${inputs.join(' ')} ${body} <button>Send</button><pre><output></output></pre></form>`
}

function curl({ path, method, operation }: Described, named: Named): string {
  const url = `http://127.0.0.1:8085${path.replace('{user}', 'default').replace('{podcast}', 'default')}`
  const token = operation.security ? '' : ` \\\n  -H "Authorization: Bearer $TIDINGS_TOKEN"`
  const types = bodyTypes(operation)
  const example = JSON.stringify(exampleOf(bodySchema(operation) ?? {}, named, false))
  const body = types.includes('text/xml')
    ? ` \\\n  -H 'Content-Type: text/xml' --data-binary @feeds.opml`
    : types.length > 0
      ? ` \\\n  -H 'Content-Type: application/json' -d '${example}'`
      : ''
  return `curl${method === 'GET' ? '' : ` -X ${method}`} '${url}'${token}${body}`
}

function bodyTypes({ requestBody }: Operation): string[] {
  return Object.keys((requestBody?.content ?? {}) as object)
}

function bodySchema({ requestBody }: Operation): Schema | null {
  const content = requestBody?.content as { 'application/json'?: { schema?: Schema } } | undefined
  return content?.['application/json']?.schema ?? null
}

function code(value: unknown): string {
  return `<pre>${escapeHtml(JSON.stringify(value, null, 2) ?? '')}</pre>`
}
