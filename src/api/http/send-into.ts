// A request from inside the API to itself, with the token of the call that caused it: it is authenticated, limited and
// audited like one from outside.
import type { FastifyInstance } from 'fastify'
import type { SendRequest } from '../../mcp/rest.ts'
import type { Call } from '../route.ts'

export function sendInto(app: FastifyInstance, call: Pick<Call, 'headers' | 'address' | 'signal'>): SendRequest {
  const { authorization } = call.headers
  return async ({ method, path, body }) => {
    const reply = await app.inject({
      ...{ method, url: path, remoteAddress: call.address, signal: call.signal },
      headers: {
        host: 'localhost',
        ...(authorization === undefined ? {} : { authorization }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: body }),
    })
    return { status: reply.statusCode, text: reply.payload }
  }
}
