// Redirects: followed as far as is safe, believed when they last, and never a way around a rule.
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { selfSigned } from '../../test/support/certificate.ts'
import { type Origin, startOrigin } from '../../test/support/origin.ts'
import { rss } from '../../test/support/product.ts'
import { HOUR, MINUTE, TEST_START, type World } from '../../test/support/world.ts'
import { inGroup, inWorld, nothing, pollEach, recordsOf } from './check.ts'

const check = inGroup('redirects')
const FEED = rss([{ title: 'One' }])

function redirect(origin: Origin, path: string, location: string, status = 302): void {
  origin.route(path, (_request, response) => response.writeHead(status, { location }).end())
}

function two(world: World): [Origin, Origin] {
  const [one, other] = world.origins
  if (!one || !other) throw new Error('this check needs two hosts')
  return [one, other]
}

/** A chain of so many hops on one host, and how its poll ends. */
const chain = (property: string, hops: number, wanted: string) =>
  check(property, () =>
    inWorld(async (world) => {
      for (let hop = 0; hop < hops; hop++) redirect(world.origin, `/${hop}`, `/${hop + 1}`)
      world.origin.route(`/${hops}`, { body: FEED })
      const { id } = await world.add('/0')
      const { outcome, reason } = await world.tidings.poll(id)
      return { seen: `${world.origin.requests.length} requests: ${reason ?? outcome}`, wanted }
    }),
  )

/** One redirect to somewhere else, and how its poll ends. */
const leadsTo = (property: string, location: string, wanted: RegExp) =>
  check(property, () =>
    inWorld(async (world) => {
      redirect(world.origin, '/feed', location)
      const { id } = await world.add('/feed')
      const { outcome, reason } = await world.tidings.poll(id)
      const told = `${outcome}: ${reason}`
      return { seen: told, wanted: wanted.test(told) ? told : String(wanted) }
    }),
  )

/** Where the source's URL is after each of some polls: at the old or the new address. */
const moves = (property: string, route: (world: World) => string, wanted: string, polls = 4) =>
  check(property, () =>
    inWorld(
      async (world) => {
        const target = route(world)
        const { id } = await world.add('/old')
        const seen: string[] = []
        for (let poll = 0; poll < polls; poll++) {
          await pollEach(world, id, [nothing])
          seen.push((await world.tidings.catalogue.sources.get(id)).url === target ? 'new' : 'old')
        }
        return { seen: seen.join(' '), wanted }
      },
      { hosts: 2 },
    ),
  )

const sameHost = (status: number) => (world: World) => {
  redirect(world.origin, '/old', '/new', status)
  world.origin.route('/new', { body: FEED })
  return `${world.origin.url}/new`
}

/** A host with a certificate that this process takes for good until it is gone. */
async function startTrusted(host: string) {
  const certificate = selfSigned({ names: [host] })
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, certificate.cert])
  const origin = await startOrigin({ host, tls: certificate })
  return {
    origin,
    async [Symbol.asyncDispose]() {
      setDefaultCACertificates(before)
      await origin.close()
    },
  }
}

const said = (origin: Origin) =>
  origin.requests.map(({ headers }) => (headers.authorization ? 'sent' : 'not')).join(' ')
const withCredentials = (url: string) => url.replace('://', '://me:secret@')

export const REDIRECTS = [
  chain('five hops are followed', 5, '6 requests: success'),
  chain('a sixth is not', 6, '6 requests: More than 5 redirects in a row'),
  check('a circle through two hosts ends at once', () =>
    inWorld(
      async (world) => {
        const [one, other] = two(world)
        redirect(one, '/feed', `${other.url}/feed`)
        redirect(other, '/feed', `${one.url}/feed`)
        const { id } = await world.add('/feed')
        const { reason } = await world.tidings.poll(id)
        return {
          seen: `${one.requests.length} + ${other.requests.length} requests: ${reason}`,
          wanted: `1 + 1 requests: Redirects lead in a circle, back to ${one.url}/feed`,
        }
      },
      { hosts: 2 },
    ),
  ),
  leadsTo('file: is refused', 'file:///etc/passwd', /^transient: .*file: is refused/),
  leadsTo(
    'a private address is refused',
    'http://10.0.0.1/',
    /^transient: .*10\.0\.0\.1 is a private address.*allow-private-networks/,
  ),
  leadsTo(
    'the metadata address is refused',
    'http://169.254.169.254/',
    /^transient: .*169\.254\.169\.254 is a cloud metadata/,
  ),
  leadsTo('a private address in decimal is refused', 'http://167772161/', /^transient: .*10\.0\.0\.1 is a private/),
  leadsTo('a mapped private address is refused', 'http://[::ffff:10.0.0.1]/', /^transient: .*10\.0\.0\.1.*private/),
  check('every hop passes the guard: only listed networks are asked', () =>
    inWorld(
      async (world) => {
        const [one, other] = two(world)
        redirect(one, '/feed', `${other.url}/feed`)
        other.route('/feed', { body: FEED })
        const { id } = await world.add('/feed')
        const { reason } = await world.tidings.poll(id)
        const why = /127\.0\.0\.3 is a loopback address/.test(reason ?? '') ? 'refused' : reason
        return {
          seen: `${one.requests.length} + ${other.requests.length} requests: ${why}`,
          wanted: '1 + 0 requests: refused',
        }
      },
      { hosts: 2, config: { http: { allowPrivateNetworks: ['127.0.0.2/32'] } } },
    ),
  ),
  check('credentials go to their own host only, and not back to it from elsewhere', () =>
    inWorld(
      async (world) => {
        const [one, other] = two(world)
        redirect(one, '/feed', '/next')
        redirect(one, '/next', `${other.url}/feed`)
        redirect(other, '/feed', `${one.url}/last`)
        one.route('/last', { body: FEED })
        const url = withCredentials(`${one.url}/feed`)
        const { id } = await world.tidings.catalogue.sources.create('default', { type: 'rss', url })
        const { outcome } = await world.tidings.poll(id)
        return {
          seen: `own: ${said(one)}; other: ${said(other)}; ${outcome}`,
          wanted: 'own: sent sent not; other: not; success',
        }
      },
      { hosts: 2 },
    ),
  ),
  check('credentials never go out after https -> http', () =>
    inWorld(async (world) => {
      await using trusted = await startTrusted('127.0.0.2')
      const secure = trusted.origin
      redirect(secure, '/feed', `${world.origin.url}/feed`)
      world.origin.route('/feed', { body: FEED })
      const url = withCredentials(`${secure.url}/feed`)
      const { id } = await world.tidings.catalogue.sources.create('default', { type: 'rss', url })
      const { outcome } = await world.tidings.poll(id)
      return {
        seen: `https: ${said(secure)}; http: ${said(world.origin)}; ${outcome}`,
        wanted: 'https: sent; http: not; success',
      }
    }),
  ),
  check('credentials are never shown', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', { status: 401 })
      const url = withCredentials(`${world.origin.url}/feed`)
      const source = await world.tidings.catalogue.sources.create('default', { type: 'rss', url })
      const record = await world.tidings.poll(source.id)
      const shown = JSON.stringify([source, record, world.lines, await world.tidings.catalogue.sources.get(source.id)])
      return { seen: shown.includes('secret') ? 'shown' : 'not shown', wanted: 'not shown' }
    }),
  ),
  moves('a 301 is stored after three good polls in a row', sameHost(301), 'old old new new'),
  moves('a 308 is stored after three good polls in a row', sameHost(308), 'old old new new'),
  moves('a 302 is never stored', sameHost(302), 'old old old old'),
  moves('a 307 is never stored', sameHost(307), 'old old old old'),
  moves(
    'a way with one temporary hop is never stored',
    (world) => {
      redirect(world.origin, '/old', '/hop', 301)
      redirect(world.origin, '/hop', '/new', 302)
      world.origin.route('/new', { body: FEED })
      return `${world.origin.url}/new`
    },
    'old old old old',
  ),
  moves(
    'http to http on another domain is never stored',
    (world) => {
      const [one, other] = two(world)
      redirect(one, '/old', `${other.url}/new`, 301)
      other.route('/new', { body: FEED })
      return `${other.url}/new`
    },
    'old old old old',
  ),
  check('http to https is stored, on another domain too', () =>
    inWorld(async (world) => {
      await using trusted = await startTrusted('127.0.0.3')
      redirect(world.origin, '/old', `${trusted.origin.url}/new`, 301)
      trusted.origin.route('/new', { body: FEED })
      const { id } = await world.add('/old')
      await pollEach(world, id, Array(3).fill(nothing))
      const { url, host } = await world.tidings.catalogue.sources.get(id)
      const moved = url === `${trusted.origin.url}/new` ? 'moved' : url
      return { seen: `${moved}, lane ${host}`, wanted: 'moved, lane 127.0.0.3' }
    }),
  ),
  check('an address that another source has is never stored', () =>
    inWorld(async (world) => {
      const target = sameHost(301)(world)
      await world.add('/new')
      const { id } = await world.add('/old')
      await pollEach(world, id, Array(5).fill(nothing))
      const { url } = await world.tidings.catalogue.sources.get(id)
      return { seen: url === target ? 'new' : 'old', wanted: 'old' }
    }),
  ),
  check('a Retry-After closes the lane of the host that said it; the failure is the source’s', () =>
    inWorld(
      async (world) => {
        const [one, other] = two(world)
        redirect(one, '/feed', `${other.url}/feed`)
        other.route('/feed', { status: 429, headers: { 'retry-after': '7200' } })
        const { id } = await world.add('/feed')
        await world.tidings.poll(id)
        const closed = await Promise.all(
          ['127.0.0.2', '127.0.0.3'].map(async (host) => {
            const { notBefore } = await world.tidings.hosts.get(host).catch(() => ({ notBefore: null }))
            return notBefore === null ? 'open' : `closed ${(Date.parse(notBefore) - TEST_START) / MINUTE} min`
          }),
        )
        const { consecutiveFailures } = await world.tidings.catalogue.sources.get(id)
        return {
          seen: `${closed.join(', ')}, ${consecutiveFailures} failure`,
          wanted: 'open, closed 120 min, 1 failure',
        }
      },
      { hosts: 2 },
    ),
  ),
  check('once stored, the old address is left alone', () =>
    inWorld(async (world) => {
      sameHost(301)(world)
      const { id } = await world.add('/old')
      await pollEach(world, id, Array(6).fill(nothing))
      const [old, fresh] = ['/old', '/new'].map((path) => world.origin.requestsTo(path).length)
      return { seen: `${old} to the old, ${fresh} to the new`, wanted: '3 to the old, 6 to the new' }
    }),
  ),
  check('a redirect to a host that is closed puts the poll off, without a failure', () =>
    inWorld(
      async (world) => {
        const [one, other] = two(world)
        other.route('/busy', { status: 429, headers: { 'retry-after': '3600' } })
        other.route('/feed', { body: FEED })
        redirect(one, '/feed', `${other.url}/feed`)
        const busy = await world.tidings.catalogue.sources.create('default', { type: 'rss', url: `${other.url}/busy` })
        await world.tidings.poll(busy.id)
        const { id } = await world.add('/feed')
        await world.pass(0)
        await world.pass(30 * MINUTE)
        const { consecutiveFailures, nextPollAt } = await world.tidings.catalogue.sources.get(id)
        const next = (Date.parse(nextPollAt ?? '') - TEST_START) / HOUR
        const polls = (await recordsOf(world, id)).length
        return {
          seen: `${other.requestsTo('/feed').length} requests, ${polls} records, ${consecutiveFailures} failures, next after ${next} h`,
          wanted: '0 requests, 0 records, 0 failures, next after 1 h',
        }
      },
      { hosts: 2 },
    ),
  ),
  check('a redirect keeps the target’s spacing', () =>
    inWorld(
      async (world) => {
        const [one, other] = two(world)
        for (const path of ['/a', '/b']) {
          redirect(one, path, `${other.url}${path}`)
          other.route(path, { body: FEED })
          await world.add(path, { pollDelaySeconds: 7 })
        }
        await world.pass(0)
        await world.pass(30 * MINUTE)
        const gaps = other.requests.slice(1).map(({ at }, index) => (at - (other.requests[index]?.at ?? 0)) / 1000)
        return { seen: gaps.map((gap) => `${gap} s apart`).join(', '), wanted: '7 s apart' }
      },
      { hosts: 2 },
    ),
  ),
  check('410 five times ends the visits', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', { status: 410 })
      const { id } = await world.add('/feed')
      await world.pass(0)
      for (let day = 0; day < 12; day++) await world.pass(24 * HOUR)
      const { disabledReason } = await world.tidings.catalogue.sources.get(id)
      return {
        seen: `${world.origin.requests.length} requests: ${disabledReason}`,
        wanted: '5 requests: Auto-disabled after 5 consecutive 410 errors',
      }
    }),
  ),
]
