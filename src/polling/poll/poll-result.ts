// How a poll came to an end, and what whoever asked for it is told.
import type { PollRecord } from '../../domain/outcome.ts'
import { HostNotFree, Problem } from '../../domain/problem.ts'
import type { PollWritten } from '../../ports/polling-store.ts'
import type { GivenUp, PutOff } from '../../ports/reader.ts'

export type PollResult = PollWritten | GivenUp | ({ readonly kind: 'put-off' } & PutOff)

/** Whether the poll stepped back without a result of its own: whoever joined it may still want one. */
export function hasNoResult(result: PollResult): boolean {
  return result.kind === 'overtaken' || result.kind === 'given-up'
}

/** For whoever asked for the poll. */
export function recordOrThrow(result: PollResult): PollRecord {
  switch (result.kind) {
    case 'recorded':
      return result.record
    case 'put-off': {
      const until = new Date(result.until).toISOString()
      throw new HostNotFree(result.until, `The poll was put off until ${until}: ${result.reason}.`)
    }
    case 'source-gone':
      throw noSuchSource()
    case 'source-changed':
      throw new Problem(
        'source-changed',
        'The URL, type, key or backfill changed while it was being polled; poll it again.',
      )
    case 'overtaken':
      throw new Problem('not-ready', WHY_NOTHING_RECORDED.overtaken)
    case 'given-up':
      throw new Problem('not-ready', WHY_NOTHING_RECORDED[result.because])
  }
}

const WHY_NOTHING_RECORDED: Readonly<Record<GivenUp['because'], string>> = {
  stopping: 'The poll was given up and nothing was recorded: the process is shutting down.',
  withdrawn: 'The poll was given up and nothing was recorded: it is not wanted any more.',
  'host-taken': 'Nothing was recorded: another process is asking the host. Poll it again.',
  overtaken: 'Nothing was recorded: another process polled it first.',
  'not-needed': 'Nothing was recorded: another process has polled it meanwhile.',
}

export function noSuchSource(): Problem {
  return new Problem('not-found', 'There is no such source.')
}
