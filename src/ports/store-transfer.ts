// Moving a whole store from one engine to the other.

export interface TransferProgress {
  readonly phase: 'copied' | 'verified'
  /** Rows, those of an earlier run that was interrupted included. */
  readonly done: number
  readonly total: number
}

export interface TransferOptions {
  /** The copy ends after the current rows when this is aborted. The next run goes on from there. */
  readonly ending: AbortSignal
  onProgress(progress: TransferProgress): void
}

/** A table that is the same on both sides, by the number of its rows and the hash of all of them. */
export interface TransferredTable {
  readonly table: string
  readonly rows: number
  readonly checksum: string
}

export type Transfer =
  | {
      readonly kind: 'done'
      readonly tables: readonly TransferredTable[]
      /** How this run began: `fresh`, or with the rows of an earlier one, or over again because the source had changed. */
      readonly began: 'fresh' | 'resumed' | 'again'
    }
  | { readonly kind: 'interrupted'; readonly done: number; readonly total: number }
