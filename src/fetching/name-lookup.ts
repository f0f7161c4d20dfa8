// DNS lookups that do not block each other. c-ares uses its own sockets; getaddrinfo would occupy one of four threads
// per name, so one slow name server would delay every host.
// - The hosts file and `localhost` are honoured. `.invalid` never exists (RFC 6761).
// - Names without a dot and `.local` names are resolved by the system (search lists, mDNS).
// - Results are cached for their TTL, between 5 and 60 s, and failures for 5 s. At most 2,000 names are cached.
// See docs/decisions/0043-dns-through-c-ares.md
import { lookup as systemLookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { FetchFailure } from './failure.ts'
import { type HostsFile, hostsFile } from './hosts-file.ts'

export interface NameLookup {
  /** Returns at least one address, IPv4 first, or rejects with a FetchFailure. */
  addressesOf(name: string): Promise<readonly string[]>
  close(): void
}

export interface NameLookupOptions {
  /** `address:port` of name servers that replace the system's. */
  readonly servers?: readonly string[]
  readonly hosts?: HostsFile
}

const MIN_CACHE_MS = 5_000
const MAX_CACHE_MS = 60_000
const MAX_NAMES = 2_000
/** How long to wait for the other address family after one has answered (RFC 8305 recommends 50 ms). */
const OTHER_FAMILY_MS = 100

const DOES_NOT_EXIST = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

interface LookupResult {
  readonly addresses: readonly string[]
  readonly ttlMs: number
}
interface CachedLookup {
  readonly result: Promise<LookupResult>
  untilMs: number
}

export function createNameLookup(options: NameLookupOptions = {}): NameLookup {
  // Two tries of 2 s fit into the time limit for a connection.
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (options.servers) resolver.setServers(options.servers)
  const hosts = options.hosts ?? hostsFile()
  const cache = new Map<string, CachedLookup>()
  return {
    addressesOf: async (given) => {
      const name = given.toLowerCase().replace(/\.$/, '')
      const known = cache.get(name)
      const entry =
        known && known.untilMs > performance.now() ? known : addToCache(cache, name, lookUp(name, hosts, resolver))
      return (await entry.result).addresses
    },
    close: () => resolver.cancel(),
  }
}

async function lookUp(name: string, hosts: HostsFile, resolver: Resolver): Promise<LookupResult> {
  const listed = await hosts(name)
  if (listed.length > 0) return { addresses: listed, ttlMs: MIN_CACHE_MS }
  if (name === 'localhost' || name.endsWith('.localhost'))
    return { addresses: ['127.0.0.1', '::1'], ttlMs: MAX_CACHE_MS }
  if (name.endsWith('.invalid')) throw notFound(name)
  if (!name.includes('.') || name.endsWith('.local')) return querySystem(name)
  return queryServers(resolver, name)
}

/** Cached while the lookup is still running, so that one query serves all callers. */
function addToCache(cache: Map<string, CachedLookup>, name: string, result: Promise<LookupResult>): CachedLookup {
  const entry: CachedLookup = { result, untilMs: Number.POSITIVE_INFINITY }
  const cacheFor = (ms: number) => {
    entry.untilMs = performance.now() + Math.min(Math.max(ms, MIN_CACHE_MS), MAX_CACHE_MS)
  }
  result.then(
    ({ ttlMs }) => cacheFor(ttlMs),
    () => cacheFor(MIN_CACHE_MS),
  )
  cache.delete(name)
  cache.set(name, entry)
  const oldest = cache.keys().next().value
  if (cache.size > MAX_NAMES && oldest !== undefined) cache.delete(oldest)
  return entry
}

async function queryServers(resolver: Resolver, name: string): Promise<LookupResult> {
  const families = [resolver.resolve4(name, { ttl: true }), resolver.resolve6(name, { ttl: true })]
  let timer: NodeJS.Timeout | undefined
  const graceOver = new Promise<[]>((resolve) => {
    const wait = () => {
      timer = setTimeout(resolve, OTHER_FAMILY_MS, [])
    }
    Promise.any(families).then(wait, () => {})
  })
  const settled = await Promise.allSettled(families.map((family) => Promise.race([family, graceOver])))
  clearTimeout(timer)
  const records = settled.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  if (records.length > 0)
    return {
      addresses: records.map(({ address }) => address),
      ttlMs: Math.min(...records.map(({ ttl }) => ttl)) * 1000,
    }
  const codes = settled.map((result) => (result.status === 'rejected' ? codeOf(result.reason) : 'ENODATA'))
  // No name server could be reached. The system may have another way to resolve names.
  if (codes.every((code) => code === 'ECONNREFUSED')) return querySystem(name)
  if (codes.every((code) => DOES_NOT_EXIST.has(code))) throw notFound(name)
  throw lookupFailed(name, codes.find((code) => code !== 'ENODATA') ?? 'EAI_AGAIN')
}

function querySystem(name: string): Promise<LookupResult> {
  return new Promise((resolve, reject) => {
    systemLookup(name, { all: true }, (error, found) => {
      const addresses = (found ?? []).map(({ address }) => address).filter((address) => isIP(address) !== 0)
      if (addresses.length > 0) return resolve({ addresses, ttlMs: MIN_CACHE_MS })
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
