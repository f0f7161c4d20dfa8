// Opens one connection for undici: look up, guard, connect, TLS, all within the connect limit.
// The guard judges the very addresses that the socket is then given, so a name that changes its mind between check and
// use (DNS rebinding) gains nothing. Happy eyeballs run over the allowed addresses only.
import { type LookupFunction, connect as netConnect, type Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import type { buildConnector } from 'undici'
import type { Trust } from '../ports/fetcher.ts'
import type { AddressGuard } from './address-guard.ts'
import { classify } from './classify.ts'
import { FetchFailure, seconds } from './failure.ts'
import { parseIp } from './ip.ts'
import type { Names } from './names.ts'

export interface ConnectOptions {
  readonly names: Names
  readonly guard: AddressGuard
  readonly trusted: Trust
  readonly limitMs: number
}

const STEP = { lookup: 'dns-failed', connect: 'connect-timeout', tls: 'connect-timeout' } as const
const STEP_WORDS = {
  lookup: 'No answer from the name server',
  connect: 'No connection',
  tls: 'No TLS handshake',
} as const

/** Before the next address is tried. Node's 250 ms gives up on hosts that are merely far away. */
const ATTEMPT_MS = 1_000

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
  let step: keyof typeof STEP = 'lookup'
  let socket: Socket | null = null
  const timeout = Promise.withResolvers<never>()
  timeout.promise.catch(() => {})
  const timer = setTimeout(() => {
    const failure = new FetchFailure(STEP[step], `${STEP_WORDS[step]} within ${seconds(options.limitMs)}`)
    timeout.reject(failure)
    socket?.destroy()
  }, options.limitMs)
  try {
    const addresses = await Promise.race([allowedAddresses(options, hostname, port), timeout.promise])
    step = 'connect'
    socket = dial(hostname, port, protocol === 'https:', addresses)
    socket.once('connect', () => {
      step = 'tls'
    })
    return await Promise.race([established(socket, protocol === 'https:'), timeout.promise])
  } catch (error) {
    socket?.destroy()
    throw asFailure(error)
  } finally {
    clearTimeout(timer)
  }
}

async function allowedAddresses(options: ConnectOptions, hostname: string, port: number): Promise<readonly string[]> {
  const addresses = parseIp(hostname) ? [hostname] : await options.names.addressesOf(hostname)
  const refusals = addresses.map((address) => options.guard(address, port, options.trusted))
  const allowed = addresses.filter((_address, index) => refusals[index] === null)
  const why = refusals.find((refusal) => refusal !== null)
  if (allowed.length === 0) throw new FetchFailure('refused-address', `Refused to connect: ${why ?? 'no address'}`)
  return allowed
}

function dial(hostname: string, port: number, secure: boolean, addresses: readonly string[]) {
  const lookup: LookupFunction = (_name, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: parseIp(address)?.length === 4 ? 4 : 6 }))
    const [first] = found
    if (all) callback(null, found)
    else callback(null, first?.address ?? '', first?.family)
  }
  const way = {
    host: hostname,
    port,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
    noDelay: true,
    keepAlive: true,
  }
  if (!secure) return netConnect(way)
  // Every handshake is a full one: a resumed session would not have its certificate's name checked again.
  return tlsConnect({
    ...way,
    servername: parseIp(hostname) ? '' : hostname.replace(/\.$/, ''),
    ALPNProtocols: ['http/1.1'],
  })
}

function established(socket: Socket, secure: boolean): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // Stays on the socket: an error after the race was lost must not be an uncaught one.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // undici, which hears of it next, takes ECONNRESET for the end of a body that says no length: half a document.
      if (error.code === 'ECONNRESET') error.code = 'ECONNABORTED'
      reject(error)
    })
    socket.once('close', () => reject(new FetchFailure('connect-reset', 'The connection was closed at once')))
    socket.once(secure ? 'secureConnect' : 'connect', () => resolve(socket))
  })
}

/** Classified here, because undici asks again for ever when a connect error looks like a lost connection. */
function asFailure(error: unknown): FetchFailure {
  if (error instanceof FetchFailure) return error
  const { code, reason } = classify(error, 'connect')
  return new FetchFailure(code, reason)
}
