// The internet of the docs: what example.org and its neighbours answer, and how addresses of the docs lead to loopback.
import { type Origin, startOrigin } from '../support/origin.ts'
import { rss } from '../support/product.ts'

export interface Called {
  readonly name: string
  readonly args: readonly string[]
  readonly input: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface World extends AsyncDisposable {
  /** An empty database on a real PostgreSQL. */
  freshDatabase(): Promise<string>
  toLoopback(text: string): string
  fromLoopback(text: string): string
}

const HOUR = 3_600_000

interface Site {
  readonly title: string
  /** Where its page says that its feed is. */
  readonly feed: string
  readonly posts: readonly string[]
}

/** Sites that the docs name. Each has an address on loopback of its own, because spacing and breakers belong to hosts. */
const SITES: Readonly<Record<string, Site>> = {
  'example.org': {
    ...{ title: 'Example News', feed: '/feed' },
    posts: ['The harbour opens again', 'A storm is on its way', 'Bread gets dearer'],
  },
  'xkcd.com': { title: 'xkcd.com', feed: '/atom.xml', posts: ['Tidal Locking', 'Feed Readers', 'Late Bus'] },
}
/** Whoever takes messages. */
const RECEIVERS = ['ntfy.sh', 'receiver.example']

export async function startWorld(freshDatabase: () => Promise<string>): Promise<World> {
  const names = [...Object.keys(SITES), ...RECEIVERS]
  const origins = await Promise.all(names.map((_, at) => startOrigin({ host: `127.0.0.${20 + at}` })))
  names.forEach((name, at) => {
    const [origin, site] = [origins[at], SITES[name]]
    if (origin && site) serveSite(origin, name, site)
    for (const path of ['/tidings', '/my-topic']) origin?.route(path, { status: 200, body: '{}' })
  })
  return {
    freshDatabase,
    toLoopback: (text) =>
      names.reduce((done, name, at) => done.replaceAll(addressOf(name), `$1${origins[at]?.url}`), text),
    fromLoopback: (text) =>
      names.reduce((done, name, at) => {
        const { url = '', host = '' } = origins[at] ?? {}
        return done.replaceAll(url, `https://${name}`).replaceAll(host, name)
      }, text),
    async [Symbol.asyncDispose]() {
      await Promise.all(origins.map((origin) => origin.close()))
    },
  }
}

function addressOf(name: string): RegExp {
  return new RegExp(`(^|["'\\s=])(?:https://)?${name.replace('.', '\\.')}(?=[/"'?\\s]|$)`, 'g')
}

function serveSite(origin: Origin, name: string, { title, feed, posts }: Site): void {
  const items = posts.map((post, at) => ({
    ...{ title: post, body: `${post}, says our reporter.`, guid: `g${at}`, link: `https://${name}/${at + 1}` },
    publishedAt: Date.now() - (at + 1) * HOUR,
  }))
  const link = `<link rel="alternate" type="application/rss+xml" title="${title}" href="${feed}">`
  origin.route('/', { contentType: 'text/html', body: `<title>${title}</title>${link}` })
  const body = rss(items).replace('>News<', `>${title}<`)
  for (const path of [feed, '/feed.xml']) origin.route(path, { contentType: 'application/rss+xml', body, etag: '"1"' })
}
