// The messages between the pool and its worker threads.

export interface Job {
  readonly id: number
  readonly task: string
  readonly payload: unknown
}

export type Reply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly code: string | null; readonly message: string }
