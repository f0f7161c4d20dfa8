// The result of one check.
export interface Finding {
  readonly check: string
  readonly ok: boolean
  readonly found: string
  /** What to do; null if the check passed. */
  readonly remedy: string | null
}

export function passed(check: string, found: string): Finding {
  return { check, ok: true, found, remedy: null }
}

export function failed(check: string, found: string, remedy: string): Finding {
  return { check, ok: false, found, remedy }
}
