// What a request says about itself, and what it never says.

import { VERSION } from '../../src/version.ts'
import { startOrigin } from '../../test/support/origin.ts'
import { rss } from '../../test/support/product.ts'
import { inGroup, inWorld, nothing, pollEach } from './check.ts'

const check = inGroup('identity')
const FEED = rss([{ title: 'One' }])

export const IDENTITY = [
  check('the User-Agent says who asks and where to complain', () =>
    inWorld(
      async (world) => {
        world.origin.route('/feed', { body: FEED })
        const { id } = await world.add('/feed')
        await world.tidings.poll(id)
        return {
          seen: String(world.origin.requests[0]?.headers['user-agent']),
          wanted: `Tidings/${VERSION} (+https://tidings.example/about)`,
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
        wanted: 'accept, accept-encoding, connection, host, user-agent',
      }
    }),
  ),
  check('it asks for feeds first, and for pages where a page is wanted', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', { body: FEED })
      const feed = await world.add('/feed')
      const page = await world.add('/page', { type: 'website' })
      await world.tidings.poll(feed.id)
      await world.tidings.poll(page.id)
      const first = world.origin.requests.map(({ headers }) => headers.accept?.split(',', 1)[0])
      return { seen: first.join(' | '), wanted: 'application/atom+xml | text/html' }
    }),
  ),
  check('it takes gzip, deflate, br and zstd', () =>
    inWorld(async (world) => {
      const { id } = await world.add('/feed')
      await world.tidings.poll(id)
      return {
        seen: String(world.origin.requests[0]?.headers['accept-encoding']),
        wanted: 'gzip, deflate, br, zstd',
      }
    }),
  ),
  check('a cookie is never sent back, neither later nor after a redirect', () =>
    inWorld(async (world) => {
      const cookie = { 'set-cookie': 'session=1; Path=/' }
      world.origin.route('/feed', (_request, response) =>
        response.writeHead(302, { location: '/real', ...cookie }).end(),
      )
      world.origin.route('/real', { body: FEED, headers: cookie })
      const { id } = await world.add('/feed')
      await pollEach(world, id, [nothing, nothing])
      const cookies = world.origin.requests.filter(({ headers }) => headers.cookie !== undefined)
      return {
        seen: `${cookies.length} of ${world.origin.requests.length} with a cookie`,
        wanted: '0 of 4 with a cookie',
      }
    }),
  ),
  check('no Referer, also after a redirect', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', (_request, response) => response.writeHead(302, { location: '/real' }).end())
      world.origin.route('/real', { body: FEED })
      const { id } = await world.add('/feed')
      await world.tidings.poll(id)
      const told = world.origin.requests.filter(({ headers }) => headers.referer !== undefined)
      return {
        seen: `${told.length} of ${world.origin.requests.length} with a Referer`,
        wanted: '0 of 2 with a Referer',
      }
    }),
  ),
  check('an address is asked as it was typed: no query added, nothing against caches', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', { body: FEED })
      const typed = ['/feed', '/feed?b=2&a=1', '/feed?utm_source=x&q=%20%C3%A4']
      for (const path of typed) await pollEach(world, (await world.add(path)).id, [nothing, nothing])
      const asked = world.origin.requests.map(({ method, path }) => `${method} ${path}`)
      return { seen: [...new Set(asked)].join(' '), wanted: typed.map((path) => `GET ${path}`).join(' ') }
    }),
  ),
  check('a connection is used again', () =>
    inWorld(async (world) => {
      world.origin.route('/feed', { body: FEED })
      const { id } = await world.add('/feed')
      await pollEach(world, id, Array(4).fill(nothing))
      return {
        seen: `${world.origin.requests.length} requests on ${world.origin.connections} connection`,
        wanted: '4 requests on 1 connection',
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
        return { seen: `${reason ?? outcome}: ${proxy.requests.map(({ path }) => path)}`, wanted: `success: ${url}` }
      },
      { config: { http: { proxy: proxy.url } } },
    )
  }),
  check('proxy variables of the environment are ignored', async () => {
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
          wanted: 'success, proxy asked 0 times',
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
