// FetchFailure carries a failure through undici's callbacks as an error. The client returns it as data.
import { STATUS_CODES } from 'node:http'
import { onOneLine } from '../domain/failure-reason.ts'
import type { Failure, FailureCode } from '../domain/outcome.ts'

export class FetchFailure extends Error {
  readonly failure: Failure

  constructor(code: FailureCode, reason: string, httpStatus: number | null = null) {
    super(reason)
    this.name = 'FetchFailure'
    this.failure = failureOf(code, reason, httpStatus)
  }
}

export function failureOf(code: FailureCode, reason: string, httpStatus: number | null = null): Failure {
  return { code, httpStatus, reason: onOneLine(reason) }
}

export function statusFailure(status: number): Failure {
  const name = STATUS_CODES[status]
  return failureOf('http-status', `The server answered ${status}${name ? ` ${name}` : ''}`, status)
}

export function seconds(ms: number): string {
  return `${ms / 1000} s`
}
