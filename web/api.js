// The REST API as the dashboard sees it: what was asked for, or a problem in words that people can act on.
// The token lives in this tab only.
const TOKEN = 'tidings-token'
/** Longer than the server waits for any poll; what takes longer is not coming. */
const LONGEST_MS = 90_000

/** `passing`: Tidings itself said nothing, or that its database is away, so the same may go well the next time. */
export class ApiProblem extends Error {
  constructor(message, { status = null, passing = false } = {}) {
    super(message)
    this.status = status
    this.passing = passing
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
  const { status, ok, text } = await send(`/api${path}`, {
    method,
    headers: { ...authorization(), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = parsed(text)
  // Tidings gives every problem a code; what has none comes from somebody in between.
  if (answer === undefined || (!ok && !answer?.code)) {
    const said = `The answer (status ${status}) did not come from Tidings, but most likely from a proxy in front of it.`
    throw new ApiProblem(`${said} Check that Tidings runs and that the proxy leads to it.`, { passing: true })
  }
  if (answer?.code === 'store-away') {
    const said = 'Tidings cannot reach its database. Check that the database server runs.'
    throw new ApiProblem(said, { status, passing: true })
  }
  if (!ok) throw new ApiProblem(answer.detail ?? `The server answered ${status}.`, { status })
  return answer
}

function authorization() {
  const token = sessionStorage.getItem(TOKEN)
  if (token === null) return {}
  if (/^[\x21-\x7e]+$/.test(token)) return { authorization: `Bearer ${token}` }
  const wrong = 'This cannot be a token: tokens have no spaces and only plain letters, digits and signs.'
  throw new ApiProblem(`${wrong} Copy it once more, whole and alone.`, { status: 401 })
}

async function send(url, options) {
  try {
    const response = await fetch(url, { ...options, signal: AbortSignal.timeout(LONGEST_MS) })
    return { status: response.status, ok: response.ok, text: await response.text() }
  } catch (error) {
    const what = error.name === 'TimeoutError' ? 'Tidings did not answer in time.' : 'Tidings cannot be reached.'
    throw new ApiProblem(`${what} Check that it runs and that the network is up.`, { passing: true })
  }
}

/** undefined: no JSON. */
function parsed(text) {
  try {
    return text ? JSON.parse(text) : null
  } catch {
    return undefined
  }
}
