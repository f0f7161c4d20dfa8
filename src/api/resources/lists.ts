// Import and export of a podcast's sources as OPML, JSON or lines of text. Nothing is fetched.
import { importAnswer } from '../../catalogue/shapes/answers.ts'
import { exportQuery } from '../../catalogue/shapes/schemas.ts'
import { Problem } from '../../domain/problem.ts'
import { requireAdmin } from '../auth/find-for-caller.ts'
import type { ApiParts } from '../parts.ts'
import { type Call, ok, type Route, route } from '../route.ts'
import { SOURCES } from './sources.ts'

export function listRoutes({ catalogue, find }: ApiParts): Route[] {
  const { sources } = catalogue
  const tag = 'Sources'
  return [
    route({
      ...{ method: 'POST', path: `${SOURCES}/import`, tag, accepts: 'list' },
      summary: 'Add sources from OPML, JSON as exported, or one address per line',
      answers: { 200: importAnswer },
      async handle(call) {
        const { id } = await find.podcast(call)
        if (!(call.body instanceof Uint8Array))
          throw new Problem('invalid-input', 'The body is empty. Send the list as the body.')
        const list = { bytes: call.body, contentType: call.headers['content-type'] }
        return ok(await sources.importList(id, list, { admin: call.caller.admin, signal: call.signal }))
      },
    }),
    route({
      ...{ method: 'GET', path: `${SOURCES}.opml`, tag, summary: 'The sources as OPML' },
      ...{ audit: 'credentials exported', isAudited: withSecrets },
      query: exportQuery,
      answers: { 200: 'text/x-opml' },
      async handle(call) {
        const { id } = await find.podcast(call)
        if (call.query.secrets) requireAdmin(call.caller)
        const headers = { 'content-disposition': 'attachment; filename="sources.opml"' }
        const text = await sources.exportOpml(id, call.query)
        return { status: 200, text, contentType: 'text/x-opml; charset=utf-8', headers }
      },
    }),
    route({
      ...{
        method: 'GET',
        path: `${SOURCES}.json`,
        tag,
        summary: 'The sources with all their settings, in the format that import reads',
      },
      ...{ audit: 'credentials exported', isAudited: withSecrets },
      query: exportQuery,
      answers: { 200: 'application/json' },
      async handle(call) {
        const { id } = await find.podcast(call)
        if (call.query.secrets) requireAdmin(call.caller)
        return ok(await sources.exportJson(id, call.query))
      },
    }),
  ]
}

function withSecrets({ query }: Call): boolean {
  return (query as { secrets?: boolean } | undefined)?.secrets === true
}
