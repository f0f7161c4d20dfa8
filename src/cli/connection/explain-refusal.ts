// The API's problems name fields of its requests. A command replaces them by what a person typed or can type.
import { CliFailure } from '../failure.ts'
import { inOptionNames } from '../setting-options.ts'
import { RefusedRequest } from './client.ts'

export interface Typed {
  /** What to do if the host cannot be asked now. */
  readonly notFree: string
  /** The address as it was typed, and as it was sent. */
  readonly address?: { readonly typed: string; readonly sent: string }
}

export async function explained<T>(asked: Promise<T>, typed: Typed): Promise<T> {
  try {
    return await asked
  } catch (error) {
    throw error instanceof RefusedRequest ? explanationOf(error, typed) : error
  }
}

function explanationOf(error: RefusedRequest, { notFree, address }: Typed): CliFailure {
  if (error.code === 'host-not-free') {
    const [until] = error.message.split(' Try again')
    return new CliFailure(`${until} ${notFree}`)
  }
  if (error.code === 'invalid-input') return new CliFailure(inOptionNames(error.message), error.exitCode)
  const hasAddedScheme = address !== undefined && address.sent !== address.typed && address.sent.startsWith('https:')
  if (hasAddedScheme && error.message.includes('The TLS connection failed')) {
    return new CliFailure(`${error.message}\nIf the server has no https, type http:// in front of the address.`)
  }
  return error
}
