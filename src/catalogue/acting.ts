// On whose behalf the catalogue acts.

export interface ActingOptions {
  /** Whether the address is tested when the input does not say; by default not. */
  readonly validate?: boolean
  /** Whether the person may do everything; by default yes, as for whoever runs the program. */
  readonly admin?: boolean
  /** Whether `allow-private-networks` counts for the address; by default as `admin`. */
  readonly trusted?: boolean
  readonly signal?: AbortSignal
  /** Called before each test fetch; it rejects when there were too many. */
  readonly beforeTestFetch?: () => Promise<void>
}

/** Who is asking. Without it, whoever runs the program, who is an admin. */
export interface By {
  readonly admin: boolean
}

export const BY_OPERATOR: By = { admin: true }

/** How many of something this person may have; null: any number. */
export function mostFor({ admin }: By, most: number): number | null {
  return admin ? null : most
}
