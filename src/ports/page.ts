// Lists are read a page at a time.

export interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
}

export interface PageQuery {
  readonly limit: number
  readonly cursor: string | null
}
