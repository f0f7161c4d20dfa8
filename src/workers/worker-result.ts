// The result of a job: a value, or the reason why there is none.
export type WorkerResult<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false
      readonly why: 'timeout' | 'crashed' | 'error'
      /** The `code` of the error that the task threw. */
      readonly code: string | null
      readonly message: string
    }
