// Calls the REST API. Problems become messages that people can act on. The token stays in this browser tab.
const TOKEN = 'tidings-token'
/** Longer than the server waits for any poll. */
const TIMEOUT_MS = 90_000

/** `passing`: the next attempt may succeed, because Tidings or its database could not be reached. */
export class ApiProblem extends Error {
  /**
   * @param {string} message
   * @param {{ status?: number | null, passing?: boolean }} [details]
   */
  constructor(message, { status = null, passing = false } = {}) {
    super(message)
    this.status = status
    this.passing = passing
  }
}

/** @param {string} token */
export function keepToken(token) {
  sessionStorage.setItem(TOKEN, token)
}

export function forgetToken() {
  sessionStorage.removeItem(TOKEN)
}

export function hasToken() {
  return sessionStorage.getItem(TOKEN) !== null
}

/**
 * The caller names the type of the answer.
 * @template T
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<T>}
 */
export async function call(method, path, body) {
  const { status, ok, text } = await send(`/api${path}`, {
    method,
    headers: { ...authorization(), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = parsed(text)
  // Tidings gives every problem a code, so an error without one comes from a proxy.
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

/** @returns {Record<string, string>} */
function authorization() {
  const token = sessionStorage.getItem(TOKEN)
  if (token === null) return {}
  if (/^[\x21-\x7e]+$/.test(token)) return { authorization: `Bearer ${token}` }
  const wrong = 'This cannot be a token: tokens have no spaces and only plain letters, digits and signs.'
  throw new ApiProblem(`${wrong} Copy it once more, whole and alone.`, { status: 401 })
}

/** @param {string} url @param {RequestInit} options */
async function send(url, options) {
  try {
    const response = await fetch(url, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) })
    return { status: response.status, ok: response.ok, text: await response.text() }
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    const what = isLate ? 'Tidings did not answer in time.' : 'Tidings cannot be reached.'
    throw new ApiProblem(`${what} Check that it runs and that the network is up.`, { passing: true })
  }
}

/** undefined when it is not JSON. @param {string} text */
function parsed(text) {
  try {
    return text ? JSON.parse(text) : null
  } catch {
    return undefined
  }
}
