// An expected failure of a command: its message is printed to stderr. Everything else that throws is a bug.

/** As shells have it: 128, and the number of the signal that Ctrl-C sends. */
export const INTERRUPTED = 130

export class CliFailure extends Error {
  readonly exitCode: 1 | 2 | typeof INTERRUPTED

  constructor(message: string, exitCode: CliFailure['exitCode'] = 1, options: ErrorOptions = {}) {
    super(message, options)
    this.name = 'CliFailure'
    this.exitCode = exitCode
  }
}

/** The server did not answer at all. */
export class Unreachable extends CliFailure {}

/** The person, or whoever started the process, asked it to end. */
export class Interrupted extends CliFailure {
  constructor() {
    super('Interrupted.', INTERRUPTED)
  }
}

export function badUsage(message: string): CliFailure {
  return new CliFailure(message, 2)
}
