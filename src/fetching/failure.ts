// FetchFailure carries a failure through undici's callbacks as an error. The client returns it as data.
import { STATUS_CODES } from 'node:http'
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

/** Text from outside, on one line: control characters are escaped, and long text is cut. */
export function onOneLine(text: string): string {
  const escaped = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (character) => {
    const code = character.charCodeAt(0).toString(16)
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`
  })
  return escaped.length > 500 ? `${escaped.slice(0, 499)}…` : escaped
}

export function seconds(ms: number): string {
  return `${ms / 1000} s`
}
