// The REST API as the dashboard sees it. The token lives in this tab only.
const TOKEN = 'tidings-token'

export class ApiProblem extends Error {
  constructor(problem, status) {
    super(problem?.detail ?? `The server answered ${status}.`)
    this.status = status
    this.code = problem?.code ?? null
  }
}

export function keepToken(token) {
  sessionStorage.setItem(TOKEN, token)
}

export function forgetToken() {
  sessionStorage.removeItem(TOKEN)
}

export function hasToken() {
  return sessionStorage.getItem(TOKEN) !== null
}

export async function call(method, path, body) {
  const token = sessionStorage.getItem(TOKEN)
  const response = await fetch(`/api${path}`, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const answer = text ? JSON.parse(text) : null
  if (!response.ok) throw new ApiProblem(answer, response.status)
  return answer
}
