// How X's API puts into words that something is not there, not to be seen, or was not asked for properly.

export interface XReply {
  readonly status: number
  readonly body: unknown
}

const PROBLEMS = 'https://api.twitter.com/2/problems'

export const ok = (body: unknown): XReply => ({ status: 200, body })

function aboutUser(parameter: string, value: string, title: string, detail: string, type: string) {
  return { parameter, value, resource_id: value, resource_type: 'user', title, detail, type: `${PROBLEMS}/${type}` }
}

export function notFound(parameter: string, value: string): XReply {
  const detail = `Could not find user with ${parameter}: [${value}].`
  return ok({ errors: [aboutUser(parameter, value, 'Not Found Error', detail, 'resource-not-found')] })
}

export function suspended(parameter: string, value: string): XReply {
  const detail = `User has been suspended: [${value}].`
  return ok({ errors: [aboutUser(parameter, value, 'Forbidden', detail, 'resource-not-found')] })
}

export function notAuthorized(id: string): XReply {
  const detail = `Sorry, you are not authorized to see the user with id: [${id}].`
  return ok({ errors: [aboutUser('id', id, 'Authorization Error', detail, 'not-authorized-for-resource')] })
}

export function withheldError({ id }: { readonly id: string }) {
  const detail = `Sorry, you are not authorized to see the Tweet with id: [${id}].`
  const type = `${PROBLEMS}/not-authorized-for-resource`
  return {
    value: id,
    resource_id: id,
    parameter: 'id',
    resource_type: 'tweet',
    section: 'data',
    title: 'Authorization Error',
    detail,
    type,
  }
}

export function invalid(parameter: string, value: string, why: string): XReply {
  const message = `The \`${parameter}\` query parameter value [${value}] ${why}`
  const detail = 'One or more parameters to your request was invalid.'
  const errors = [{ parameters: { [parameter]: [value] }, message }]
  return { status: 400, body: { errors, title: 'Invalid Request', detail, type: `${PROBLEMS}/invalid-request` } }
}
