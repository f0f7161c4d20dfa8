// Name look-ups that do not queue behind each other: c-ares asks over its own sockets, while getaddrinfo would hold one
// of four threads per name, so that one slow name server delayed every host.
// - The hosts file and `localhost` count; `.invalid` never exists (RFC 6761).
// - Names without a dot and `.local` belong to the machine's own ways (search lists, mDNS): the system is asked.
// - Answers are kept for their TTL, between 5 and 60 s; failures for 5 s. At most 2,000 names are kept.
import { lookup as systemLookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { FetchFailure } from './failure.ts'
import { type HostsFile, hostsFile } from './hosts-file.ts'

export interface Names {
  /** At least one address, IPv4 first; rejects with a FetchFailure. */
  addressesOf(name: string): Promise<readonly string[]>
  close(): void
}

export interface NamesOptions {
  /** `address:port` of name servers, in place of the system's. */
  readonly servers?: readonly string[]
  readonly hosts?: HostsFile
}

const MIN_KEPT_MS = 5_000
const MAX_KEPT_MS = 60_000
const MAX_NAMES = 2_000
/** Once one family has answered, how long the other may keep it waiting (RFC 8305 speaks of 50 ms). */
const OTHER_FAMILY_MS = 100

const DOES_NOT_EXIST = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

interface Found {
  readonly addresses: readonly string[]
  readonly ttlMs: number
}
interface Kept {
  readonly answer: Promise<Found>
  untilMs: number
}

export function createNames(options: NamesOptions = {}): Names {
  // Two tries of 2 s stay within the time a connection may take.
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (options.servers) resolver.setServers(options.servers)
  const inHostsFile = options.hosts ?? hostsFile()
  const kept = new Map<string, Kept>()

  async function find(name: string): Promise<Found> {
    const listed = await inHostsFile(name)
    if (listed.length > 0) return { addresses: listed, ttlMs: MIN_KEPT_MS }
    if (name === 'localhost' || name.endsWith('.localhost'))
      return { addresses: ['127.0.0.1', '::1'], ttlMs: MAX_KEPT_MS }
    if (name.endsWith('.invalid')) throw notFound(name)
    if (!name.includes('.') || name.endsWith('.local')) return askSystem(name)
    return askServers(resolver, name)
  }

  function remember(name: string): Kept {
    const entry: Kept = { answer: find(name), untilMs: Number.POSITIVE_INFINITY }
    const keepFor = (ms: number) => {
      entry.untilMs = performance.now() + Math.min(Math.max(ms, MIN_KEPT_MS), MAX_KEPT_MS)
    }
    entry.answer.then(
      ({ ttlMs }) => keepFor(ttlMs),
      () => keepFor(MIN_KEPT_MS),
    )
    kept.delete(name)
    kept.set(name, entry)
    const oldest = kept.keys().next().value
    if (kept.size > MAX_NAMES && oldest !== undefined) kept.delete(oldest)
    return entry
  }

  return {
    addressesOf: async (given) => {
      const name = given.toLowerCase().replace(/\.$/, '')
      const known = kept.get(name)
      const entry = known && known.untilMs > performance.now() ? known : remember(name)
      return (await entry.answer).addresses
    },
    close: () => resolver.cancel(),
  }
}

async function askServers(resolver: Resolver, name: string): Promise<Found> {
  const families = [resolver.resolve4(name, { ttl: true }), resolver.resolve6(name, { ttl: true })]
  let timer: NodeJS.Timeout | undefined
  const longEnough = new Promise<[]>((resolve) => {
    const wait = () => {
      timer = setTimeout(resolve, OTHER_FAMILY_MS, [])
    }
    Promise.any(families).then(wait, () => {})
  })
  const settled = await Promise.allSettled(families.map((family) => Promise.race([family, longEnough])))
  clearTimeout(timer)
  const records = settled.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  if (records.length > 0)
    return {
      addresses: records.map(({ address }) => address),
      ttlMs: Math.min(...records.map(({ ttl }) => ttl)) * 1000,
    }
  const codes = settled.map((result) => (result.status === 'rejected' ? codeOf(result.reason) : 'ENODATA'))
  // No name server could be reached at all: the system may know other ways.
  if (codes.every((code) => code === 'ECONNREFUSED')) return askSystem(name)
  if (codes.every((code) => DOES_NOT_EXIST.has(code))) throw notFound(name)
  throw lookupFailed(name, codes.find((code) => code !== 'ENODATA') ?? 'EAI_AGAIN')
}

function askSystem(name: string): Promise<Found> {
  return new Promise((resolve, reject) => {
    systemLookup(name, { all: true }, (error, found) => {
      const addresses = (found ?? []).map(({ address }) => address).filter((address) => isIP(address) !== 0)
      if (addresses.length > 0) return resolve({ addresses, ttlMs: MIN_KEPT_MS })
      reject(error && error.code !== 'ENOTFOUND' ? lookupFailed(name, error.code ?? 'EAI_AGAIN') : notFound(name))
    })
  })
}

function notFound(name: string): FetchFailure {
  return new FetchFailure('dns-not-found', `The host name ${name} does not exist (ENOTFOUND)`)
}

function lookupFailed(name: string, code: string): FetchFailure {
  const how = code === 'ETIMEOUT' ? 'the name server did not answer' : `the name server failed: ${code}`
  return new FetchFailure('dns-failed', `Looking up ${name} failed (EAI_AGAIN): ${how}`)
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'EAI_AGAIN'
}
