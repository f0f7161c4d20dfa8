// Whether the server can be reached, and whether it asks for a token. Any answer can change either.
import { type ApiProblem, hasToken } from '../api/call.ts'
import { createState } from '../parts/state.ts'

/** null: reached. */
export const unreachable = createState<string | null>(null)
/** null: no token is missing. Otherwise what to tell the person who has to give one. */
export const signInNeeded = createState<{ readonly message: string; readonly isError: boolean } | null>(null)

export function reportProblem(problem: ApiProblem): void {
  if (problem.isPassing) unreachable.set(`${problem.message} This page tries again by itself.`)
  if (problem.status !== 401) return
  // It is not an error that nobody has signed in yet.
  const isError = hasToken()
  const missing = 'This Tidings asks for a token.'
  signInNeeded.set({ message: isError ? problem.message : missing, isError })
}

export function reportReached(): void {
  unreachable.set(null)
}
