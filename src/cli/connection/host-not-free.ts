// If a host cannot be asked now, the API's remedy names a field of its request. A command replaces it by an option of its own.
import { CliFailure } from '../failure.ts'
import { RefusedRequest } from './client.ts'

export async function withRemedy<T>(asked: Promise<T>, remedy: string): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof RefusedRequest) || error.code !== 'host-not-free') throw error
    const [until] = error.message.split(' Try again')
    throw new CliFailure(`${until} ${remedy}`)
  }
}
