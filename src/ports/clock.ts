// Time and chance enter the rules only through these.

export interface Clock {
  now(): number
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export type Random = () => number
