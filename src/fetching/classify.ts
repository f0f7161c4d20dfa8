// Turns any error of a socket, TLS, the HTTP parser or a decompressor into a failure with a code and a sentence.
// The sentences never contain what was sent, so they cannot contain a credential.
import { errors } from 'undici'
import type { Failure, FailureCode } from '../domain/outcome.ts'
import { FetchFailure, failureOf } from './failure.ts'

/** How far the exchange had come when the error occurred. */
export type Stage = 'proxy' | 'connect' | 'headers' | 'body'

const BY_CODE: Readonly<Record<string, readonly [FailureCode, string]>> = {
  ENOTFOUND: ['dns-not-found', 'The host name does not exist (ENOTFOUND)'],
  EAI_AGAIN: ['dns-failed', 'The name server failed (EAI_AGAIN)'],
  ECONNREFUSED: ['connection-refused', 'The connection was refused'],
  EHOSTUNREACH: ['unreachable', 'The host cannot be reached (EHOSTUNREACH)'],
  ENETUNREACH: ['unreachable', 'The network cannot be reached (ENETUNREACH)'],
  EADDRNOTAVAIL: ['unreachable', 'The address cannot be reached from here (EADDRNOTAVAIL)'],
  EINVAL: ['unreachable', 'The address cannot be reached from here (EINVAL)'],
  ENETDOWN: ['unreachable', 'The network is down (ENETDOWN)'],
  EACCES: ['unreachable', 'The system does not allow connecting there (EACCES)'],
  EPERM: ['unreachable', 'The system does not allow connecting there (EPERM)'],
  ETIMEDOUT: ['connect-timeout', 'The connection timed out (ETIMEDOUT)'],
  UND_ERR_CONNECT_TIMEOUT: ['connect-timeout', 'The connection timed out'],
  UND_ERR_HEADERS_OVERFLOW: ['bad-http', 'The headers of the answer are too large'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['body-truncated', 'The body is not as long as its Content-Length says'],
  UND_ERR_INVALID_ARG: ['bad-url', 'No valid request can be made for this address'],
  Z_BUF_ERROR: ['body-truncated', 'The compressed body ends in the middle'],
  UND_ERR_PRX_CONN: ['proxy', 'The proxy closed the connection'],
  UND_ERR_PRX_TLS: ['proxy', 'The TLS connection to the proxy failed'],
}
const RESET = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET', 'UND_ERR_INFO', 'UND_ERR_DESTROYED'])
const TLS_CODES =
  /^ERR_SSL_|^ERR_TLS_|^CERT_|^UNABLE_TO_|_SIGNED_CERT|^EPROTO$|^HOSTNAME_MISMATCH$|^INVALID_CA$|^ERR_OSSL_|^CRL_/

/** The codes of zlib, brotli (`ERR__ERROR_FORMAT_...`) and zstd. */
const DECODER_CODES = /^Z_|^ERR__ERROR_|^ERR_BROTLI|^ZSTD_/

export function classify(error: unknown, stage: Stage): Failure {
  if (error instanceof FetchFailure) return error.failure
  const failure = byCode(error, stage)
  // Before the proxy has connected, only a TLS error is the host's fault. A broken proxy must not disable sources.
  if (stage !== 'proxy' || failure.code === 'tls' || failure.code === 'proxy') return failure
  return failureOf('proxy', `The proxy cannot be used: ${failure.reason}`)
}

/** undici has no error codes for the responses of a proxy, only messages with their status. */
function proxyRefusal(message: string): string | null {
  const [refused, status = ''] = /^Proxy (?:response|Authentication)[^(]*(?:\((\d{3})\))?/.exec(message) ?? []
  if (refused === undefined) return null
  if (status === '407') return 'The proxy answered 407: it does not accept the user and password of app.http.proxy'
  return `The proxy answered ${status || 'something else than 200'} and made no connection`
}

function byCode(error: unknown, stage: Stage): Failure {
  const message = messageOf(error)
  const refusal = proxyRefusal(message)
  if (refusal !== null) return failureOf('proxy', refusal)
  const code = codeOf(error)
  const known = BY_CODE[code]
  if (known) return failureOf(...known)
  if (RESET.has(code)) return connectionLost(error, stage)
  if (TLS_CODES.test(code)) return failureOf('tls', `The TLS connection failed: ${tlsReason(error, code)}`)
  if (error instanceof errors.HTTPParserError) return failureOf('bad-http', `The answer is not valid HTTP: ${message}`)
  if (DECODER_CODES.test(code))
    return failureOf('bad-encoding', `The body is not what its Content-Encoding says (${code})`)
  return failureOf('unexpected', `Unexpected error while fetching: ${code || messageOf(error)}`)
}

function connectionLost(error: unknown, stage: Stage): Failure {
  const message = messageOf(error)
  if (message === 'bad response' || message === 'bad upgrade')
    return failureOf('bad-http', 'The server sent a response that does not fit the request')
  switch (stage) {
    case 'proxy':
    case 'connect':
      return failureOf('connect-reset', 'The connection was reset while it was being made')
    case 'headers':
      return failureOf('connection-reset', 'The connection was closed before the answer came')
    case 'body':
      // An orderly close means a truncated body. Anything else is a broken connection.
      return message === 'other side closed' || message === 'closed'
        ? failureOf('body-truncated', 'The connection was closed in the middle of the body')
        : failureOf('connection-reset', 'The connection was reset in the middle of the body')
  }
}

function tlsReason(error: unknown, code: string): string {
  switch (code) {
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return `the certificate is self-signed (${code})`
    case 'CERT_HAS_EXPIRED':
      return `the certificate has expired (${code})`
    case 'CERT_NOT_YET_VALID':
      return `the certificate is not valid yet (${code})`
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `the certificate is for another name (${code})`
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return `the certificate is not signed by a known authority, or its chain is incomplete (${code})`
    default:
      return (error as { reason?: unknown }).reason ? `${(error as { reason: unknown }).reason} (${code})` : code
  }
}

/** Happy eyeballs reports all attempts in one error. The first attempt with a known code is used. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) {
    const codes = error.errors.map(codeOf)
    return codes.find((code) => code in BY_CODE && BY_CODE[code]?.[0] !== 'unreachable') ?? codes[0] ?? ''
  }
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return typeof code === 'string' ? code : cause ? codeOf(cause) : ''
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
