// A client of the REST API in a few lines, for the other examples.
// TIDINGS_SERVER is the address of a running `tidings serve`, TIDINGS_TOKEN a token if it needs one.
const SERVER = process.env.TIDINGS_SERVER ?? 'http://127.0.0.1:8085'
const TOKEN = process.env.TIDINGS_TOKEN

/** Paths are below the default podcast: `posts?after=0`. */
export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${SERVER}/api/users/default/podcasts/default/${path}`, {
    method,
    headers: {
      ...(TOKEN ? { authorization: `Bearer ${TOKEN}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((cause) => {
    throw new Error(`${SERVER} does not answer: start "tidings serve", or set TIDINGS_SERVER`, { cause })
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return text === '' ? (undefined as T) : JSON.parse(text)
}
