// Opens one connection for undici: name lookup, address guard, connect, TLS, all within the connect limit.
// The socket gets exactly the addresses that the guard has checked, so DNS rebinding between check and use is impossible.
// Happy eyeballs (trying several addresses) uses the allowed addresses only.
// See docs/decisions/0046-no-tls-session-resumption.md
import { type LookupFunction, connect as netConnect, type Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import type { buildConnector } from 'undici'
import type { Trust } from '../ports/fetcher.ts'
import type { AddressGuard } from './address-guard.ts'
import { classify } from './classify.ts'
import { FetchFailure, seconds } from './failure.ts'
import { parseIp } from './ip.ts'
import type { NameLookup } from './name-lookup.ts'

export interface ConnectOptions {
  readonly names: NameLookup
  readonly guard: AddressGuard
  readonly trusted: Trust
  readonly limitMs: number
}

const STEP_CODES = { lookup: 'dns-failed', connect: 'connect-timeout', tls: 'connect-timeout' } as const
const STEP_MESSAGES = {
  lookup: 'No answer from the name server',
  connect: 'No connection',
  tls: 'No TLS handshake',
} as const

/** How long to wait before trying the next address. Node's default of 250 ms is too short for distant hosts. */
const NEXT_ADDRESS_MS = 1_000

export function createConnector(options: ConnectOptions): buildConnector.connector {
  return (target, callback) => {
    open(options, target).then(
      (socket) => callback(null, socket),
      (error) => callback(error, null),
    )
  }
}

async function open(options: ConnectOptions, target: buildConnector.Options): Promise<Socket> {
  const { hostname, protocol } = target
  const port = Number(target.port) || (protocol === 'https:' ? 443 : 80)
  let step: keyof typeof STEP_CODES = 'lookup'
  let socket: Socket | null = null
  const timeout = Promise.withResolvers<never>()
  timeout.promise.catch(() => {})
  const timer = setTimeout(() => {
    const failure = new FetchFailure(STEP_CODES[step], `${STEP_MESSAGES[step]} within ${seconds(options.limitMs)}`)
    timeout.reject(failure)
    socket?.destroy()
  }, options.limitMs)
  try {
    const addresses = await Promise.race([allowedAddresses(options, hostname, port), timeout.promise])
    step = 'connect'
    socket = openSocket(hostname, port, protocol === 'https:', addresses)
    socket.once('connect', () => {
      step = 'tls'
    })
    return await Promise.race([whenConnected(socket, protocol === 'https:'), timeout.promise])
  } catch (error) {
    socket?.destroy()
    throw asFailure(error)
  } finally {
    clearTimeout(timer)
  }
}

async function allowedAddresses(options: ConnectOptions, hostname: string, port: number): Promise<readonly string[]> {
  const { names, guard, trusted } = options
  const addresses = await addressesOf(names, hostname)
  const judged = typeof trusted === 'object' ? { typed: await typedAddresses(names, trusted.typedHost) } : trusted
  const refusals = addresses.map((address) => guard(address, port, judged))
  const allowed = addresses.filter((_address, index) => refusals[index] === null)
  const why = refusals.find((refusal) => refusal !== null)
  if (allowed.length === 0) throw new FetchFailure('refused-address', `Refused to connect: ${why ?? 'no address'}`)
  return allowed
}

async function addressesOf(names: NameLookup, hostname: string): Promise<readonly string[]> {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return parseIp(bare) ? [bare] : names.addressesOf(hostname)
}

/** A host that cannot be found lies in no network. */
function typedAddresses(names: NameLookup, typedHost: string): Promise<readonly string[]> {
  return addressesOf(names, typedHost).catch(() => [])
}

function openSocket(hostname: string, port: number, secure: boolean, addresses: readonly string[]) {
  const lookup: LookupFunction = (_name, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: parseIp(address)?.length === 4 ? 4 : 6 }))
    const [first] = found
    if (all) callback(null, found)
    else callback(null, first?.address ?? '', first?.family)
  }
  const options = {
    host: hostname,
    port,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    noDelay: true,
    keepAlive: true,
  }
  if (!secure) return netConnect(options)
  // Sessions are not resumed: a resumed session would skip the check of the certificate's name.
  return tlsConnect({
    ...options,
    servername: parseIp(hostname) ? '' : hostname.replace(/\.$/, ''),
    ALPNProtocols: ['http/1.1'],
  })
}

function whenConnected(socket: Socket, secure: boolean): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // This listener stays on the socket, so that an error after the timeout is not uncaught.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // undici gets the same error next. It would take ECONNRESET for the end of a body without Content-Length,
      // and return half a document.
      if (error.code === 'ECONNRESET') error.code = 'ECONNABORTED'
      reject(error)
    })
    const onClose = (): void =>
      reject(new FetchFailure('connect-reset', 'The server closed the connection before it was ready'))
    socket.once('close', onClose)
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      // Every connection is closed some day, and an error costs its stack.
      socket.off('close', onClose)
      resolve(socket)
    })
  })
}

/** Classified here, because undici retries endlessly if a connect error looks like a lost connection. */
function asFailure(error: unknown): FetchFailure {
  if (error instanceof FetchFailure) return error
  const { code, reason } = classify(error, 'connect')
  return new FetchFailure(code, reason)
}
