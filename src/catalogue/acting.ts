// On whose behalf the catalogue acts.

export interface ActingOptions {
  /** Whether the address is tested when the input does not say; by default not. */
  readonly validate?: boolean
  /** Whether the person may do everything; by default yes, as for whoever runs the program. */
  readonly admin?: boolean
  /** Whether `allow-private-networks` counts for the address; by default as `admin`. */
  readonly trusted?: boolean
  readonly signal?: AbortSignal
}
