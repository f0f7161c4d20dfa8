// A layer is what one origin sets: a file, the environment, the command line, or a caller.
// It contains values by key path with the place where each was written, and the problems with the spelling of keys.
// resolve.ts checks the values.

export interface GivenValue {
  readonly value: unknown
  /** The origin has only text (an environment variable, a flag), so the key's kind must convert the value. */
  readonly isText: boolean
  /** The origin as `tidings config` shows it. */
  readonly origin: string
  /** The place as an error message shows it, such as ` (tidings.yaml:4)`. */
  readonly where: string
}

export interface Layer {
  readonly values: Map<string, GivenValue>
  readonly hosts: Map<string, GivenValue>
  readonly problems: string[]
}

export function emptyLayer(): Layer {
  return { values: new Map(), hosts: new Map(), problems: [] }
}

/** How an origin spells keys, names places and fills placeholders. */
export interface LayerFormat {
  readonly origin: string
  spellName(kebab: string): string
  spellPath(path: string): string
  where(segments: readonly string[]): string
  /** Returns the value with its placeholders filled, or null after reporting a problem. */
  read(value: unknown, report: (problem: string) => void): Pick<GivenValue, 'value' | 'isText'> | null
}
