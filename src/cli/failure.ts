// What ends a command early and is told to the person on stderr. Everything else that throws is a bug.

export class CliFailure extends Error {
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2 = 1, options: ErrorOptions = {}) {
    super(message, options)
    this.name = 'CliFailure'
    this.exitCode = exitCode
  }
}

/** No answer at all, where one was expected. */
export class Unreachable extends CliFailure {}

export function badUsage(message: string): CliFailure {
  return new CliFailure(message, 2)
}
