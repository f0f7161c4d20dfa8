// Requests as the docs write them (`GET .../posts?after=0`, `/api/users/:user`), looked up in what the API really has.
import { startApi } from '../support/api.ts'
import type { Span } from './pages.ts'

const REQUEST = /^(GET|POST|PUT|PATCH|DELETE) +(\S+)$/

export function isRequest({ text }: Span): boolean {
  return REQUEST.test(text)
}

/** Those that no route answers, or that ask with a parameter which the route does not know. */
export async function unknownRequests(requests: readonly Span[]): Promise<string[]> {
  await using api = await startApi()
  const { paths } = (await api.ask('GET', '/openapi.json')).body as OpenApi
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [] }]) => ({
      ...{ method: method.toUpperCase(), path, query: parameters.filter((each) => each.in === 'query') },
    })),
  )
  return requests.flatMap(({ place, text }) => {
    const [, method = '', target = ''] = REQUEST.exec(text) ?? []
    const [path = '', query = ''] = target.split('?')
    const names = query === '' ? [] : query.split('&').map((pair) => pair.split('=')[0])
    const fits = operations.some(
      (operation) =>
        operation.method === method &&
        patternOf(path).test(operation.path) &&
        names.every((name) => operation.query.some((known) => known.name === name)),
    )
    return fits ? [] : [`${place}: ${text}`]
  })
}

interface OpenApi {
  readonly paths: Record<string, Record<string, { parameters?: { in: string; name: string }[] }>>
}

/** `.../posts/<id>` and `posts/:post` both stand for the end of a path. */
function patternOf(path: string): RegExp {
  const whole = path.startsWith('/')
  const parts = path
    .replace(/^\.{3}/, '')
    .split('/')
    .filter((part) => part !== '')
  const pattern = parts.map((part) =>
    /^[:<]|^\d+$|\./.test(part) && !/^(feed|sources)\./.test(part) ? '[^/]+' : `(?:${literal(part)}|\\{\\w+\\})`,
  )
  return new RegExp(`${whole ? '^(?:/api)?' : ''}/${pattern.join('/')}$`)
}

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
