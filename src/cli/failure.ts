// An expected failure of a command: its message is printed to stderr. Everything else that throws is a bug.

export class CliFailure extends Error {
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2 = 1, options: ErrorOptions = {}) {
    super(message, options)
    this.name = 'CliFailure'
    this.exitCode = exitCode
  }
}

/** The server did not answer at all. */
export class Unreachable extends CliFailure {}

export function badUsage(message: string): CliFailure {
  return new CliFailure(message, 2)
}
