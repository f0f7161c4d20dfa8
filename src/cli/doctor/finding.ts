// What a check of the doctor found.
export interface Finding {
  readonly check: string
  readonly ok: boolean
  readonly found: string
  /** What to do; null when all is well. */
  readonly remedy: string | null
}

export function well(check: string, found: string): Finding {
  return { check, ok: true, found, remedy: null }
}

export function ill(check: string, found: string, remedy: string): Finding {
  return { check, ok: false, found, remedy }
}
