// A fault of the engine itself shows in its log; a store that is away for a moment is none.
import { isStoreAway } from '../../src/domain/problem.ts'
import type { Log } from '../../src/ports/log.ts'

export function faultLog(report: (violation: string) => void): Log {
  const error = (fields: Readonly<Record<string, unknown>>, message: string): void => {
    const { err } = fields
    if (isStoreAway(err)) return
    report(`fault: ${message}: ${err instanceof Error ? err.stack : JSON.stringify(fields)}`)
  }
  const ignore = (): void => {}
  return { debug: ignore, info: ignore, warn: ignore, error }
}
