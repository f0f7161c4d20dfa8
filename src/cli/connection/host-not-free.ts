// A host that cannot be asked now: the API names its own way out, a field of its request; a command names one of its own.

import { CliFailure } from '../failure.ts'
import { RefusedRequest } from './client.ts'

export async function orWhatToDo<T>(asked: Promise<T>, remedy: string): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof RefusedRequest) || error.code !== 'host-not-free') throw error
    const [until] = error.message.split(' Try again')
    throw new CliFailure(`${until} ${remedy}`)
  }
}
