// The headers and the address of a request: what Tidings sends, and what it never sends.
import { VERSION } from '../../src/version.ts'
import { startOrigin } from '../../test/support/origin.ts'
import { rss } from '../../test/support/product.ts'
import { inGroup, inWorld, noChange, pollEach } from './check.ts'

const check = inGroup('identity')
const FEED = rss([{ title: 'One' }])

export const IDENTITY = [
  check('the User-Agent names Tidings and the public URL', () =>
    inWorld(
      async (world) => {
        world.origin.route('/feed', { body: FEED })
        const { id } = await world.add('/feed')
        await world.tidings.poll(id)
        return {
          seen: String(world.origin.requests[0]?.headers['user-agent']),
          expected: `Tidings/${VERSION} (+https://tidings.example/about)`,
        }
      },
      { config: { server: { publicUrl: 'https://tidings.example/about' } } },
    ),
  ),
  check('a request has these headers and no others', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', { body: FEED })
      const { id } = await world.add('/feed')
      await world.tidings.poll(id)
      return {
        seen: Object.keys(world.origin.requests[0]?.headers ?? {})
          .sort()
          .join(', '),
        expected: 'accept, accept-encoding, connection, host, user-agent',
      }
    }),
  ),
  check('Accept prefers feeds for feed sources and HTML for websites', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', { body: FEED })
      const feed = await world.add('/feed')
      const page = await world.add('/page', { type: 'website' })
      await world.tidings.poll(feed.id)
      await world.tidings.poll(page.id)
      const first = world.origin.requests.map(({ headers }) => headers.accept?.split(',', 1)[0])
      return { seen: first.join(' | '), expected: 'application/atom+xml | text/html' }
    }),
  ),
  check('Accept-Encoding has gzip, deflate, br and zstd', () =>
    inWorld(async (world) => {
      const { id } = await world.add('/feed')
      await world.tidings.poll(id)
      return {
        seen: String(world.origin.requests[0]?.headers['accept-encoding']),
        expected: 'gzip, deflate, br, zstd',
      }
    }),
  ),
  check('cookies are never sent back, in later polls or after a redirect', () =>
    inWorld(async (world) => {
      const cookie = { 'set-cookie': 'session=1; Path=/' }
      world.origin.route('/feed', (_request, response) =>
        response.writeHead(302, { location: '/real', ...cookie }).end(),
      )
      world.origin.route('/real', { body: FEED, headers: cookie })
      const { id } = await world.add('/feed')
      await pollEach(world, id, [noChange, noChange])
      const cookies = world.origin.requests.filter(({ headers }) => headers.cookie !== undefined)
      return {
        seen: `${cookies.length} of ${world.origin.requests.length} with a cookie`,
        expected: '0 of 4 with a cookie',
      }
    }),
  ),
  check('no Referer is sent, even after a redirect', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', (_request, response) => response.writeHead(302, { location: '/real' }).end())
      world.origin.route('/real', { body: FEED })
      const { id } = await world.add('/feed')
      await world.tidings.poll(id)
      const told = world.origin.requests.filter(({ headers }) => headers.referer !== undefined)
      return {
        seen: `${told.length} of ${world.origin.requests.length} with a Referer`,
        expected: '0 of 2 with a Referer',
      }
    }),
  ),
  check('an address is requested as it was typed, without an added query', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', { body: FEED })
      const typed = ['/feed', '/feed?b=2&a=1', '/feed?utm_source=x&q=%20%C3%A4']
      for (const path of typed) await pollEach(world, (await world.add(path)).id, [noChange, noChange])
      const asked = world.origin.requests.map(({ method, path }) => `${method} ${path}`)
      return { seen: [...new Set(asked)].join(' '), expected: typed.map((path) => `GET ${path}`).join(' ') }
    }),
  ),
  check('connections are reused', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', { body: FEED })
      const { id } = await world.add('/feed')
      await pollEach(world, id, Array(4).fill(noChange))
      return {
        seen: `${world.origin.requests.length} requests on ${world.origin.connections} connection`,
        expected: '4 requests on 1 connection',
      }
    }),
  ),
  check('a configured proxy is used', async () => {
    await using proxy = await startOrigin({ host: '127.0.0.9' })
    proxy.route('http://feeds.example/feed', { body: FEED })
    return await inWorld(
      async (world) => {
        const url = 'http://feeds.example/feed'
        const { id } = await world.tidings.catalogue.sources.create('default', { type: 'rss', url })
        const { outcome, reason } = await world.tidings.poll(id)
        return { seen: `${reason ?? outcome}: ${proxy.requests.map(({ path }) => path)}`, expected: `success: ${url}` }
      },
      { config: { http: { proxy: proxy.url } } },
    )
  }),
  check('proxy environment variables are ignored', async () => {
    await using proxy = await startOrigin({ host: '127.0.0.9' })
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']
    const before = names.map((name) => process.env[name])
    for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : proxy.url
    try {
      return await inWorld(async (world) => {
        world.origin.route('/feed', { body: FEED })
        const { id } = await world.add('/feed')
        const { outcome } = await world.tidings.poll(id)
        return {
          seen: `${outcome}, proxy asked ${proxy.requests.length} times`,
          expected: 'success, proxy asked 0 times',
        }
      })
    } finally {
      for (const [index, name] of names.entries()) {
        const value = before[index]
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
    }
  }),
]
