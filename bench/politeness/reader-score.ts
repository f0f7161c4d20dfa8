// What Rachel Kroll's feed reader score project (rachelbythebay.com/fs) counts of each feed reader, rule by rule: one feed
// with both validators, watched for a day in which it changes twice and Tidings is restarted once.
import { rss } from '../../test/support/product.ts'
import { HOUR, MINUTE, startWorld } from '../../test/support/world.ts'
import { inGroup } from './check.ts'

const check = inGroup('feed reader score')

const POLLS = 24
const INTERVAL_MINUTES = 60
const CHANGES_AT = [6, 15]
const RESTARTS_AT = 10

interface Watched {
  readonly at: number
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** What the server had sent with the answer before; null: nothing yet. */
  readonly sent: Sent | null
}

interface Sent {
  readonly etag: string
  readonly lastModified: string
}

let watched: Promise<readonly Watched[]> | null = null

async function watchADay(): Promise<readonly Watched[]> {
  await using world = await startWorld()
  const seen: Watched[] = []
  let version = 1
  let sent: Sent | null = null
  world.origin.route('/feed', (request, response) => {
    const { headers, url = '' } = request
    seen.push({ at: world.clock.now(), url, headers, sent })
    // Neither is what a program would make up: the date is not that of the newest entry.
    const now = { etag: `W/"v${version}-?'"`, lastModified: `Mon, 0${version} Feb 2026 03:04:05 GMT` }
    sent = now
    response.setHeader('etag', now.etag).setHeader('last-modified', now.lastModified).setHeader('set-cookie', 'id=1')
    if (headers['if-none-match'] === now.etag) return response.writeHead(304).end()
    return response.end(rss([{ title: `Version ${version}`, guid: String(version) }]))
  })
  await world.add('/feed', { pollIntervalMinutes: INTERVAL_MINUTES })
  for (let poll = 0; poll < POLLS; poll++) {
    if (CHANGES_AT.includes(poll)) version++
    if (poll === RESTARTS_AT) await world.restart()
    for (let tick = 0; tick < 4; tick++) await world.pass(HOUR / 4)
  }
  return seen
}

/** A rule is a count of requests that break it, of all that it is about. */
function rule(property: string, isBroken: (request: Watched, index: number, all: readonly Watched[]) => boolean) {
  return check(property, async () => {
    watched ??= watchADay()
    const requests = await watched
    const later = requests.slice(1)
    const broken = later.filter((request, index) => isBroken(request, index + 1, requests)).length
    const enough = later.length >= POLLS - 2 ? 'a day of requests' : `only ${later.length} requests`
    return { seen: `${broken} in ${enough}`, expected: '0 in a day of requests' }
  })
}

export const READER_SCORE = [
  rule(
    'unconditional requests after the first one',
    ({ headers }) => !headers['if-none-match'] && !headers['if-modified-since'],
  ),
  rule(
    'If-Modified-Since that is out of sequence or made up',
    ({ headers, sent }) => headers['if-modified-since'] !== sent?.lastModified,
  ),
  rule(
    'If-None-Match that is out of sequence or made up',
    ({ headers, sent }) => headers['if-none-match'] !== sent?.etag,
  ),
  rule('cookies', ({ headers }) => headers.cookie !== undefined),
  rule('referrers', ({ headers }) => headers.referer !== undefined),
  rule('query parameters that nobody typed', ({ url }) => url !== '/feed'),
  rule(
    'requests sooner than the interval, also after a restart',
    ({ at }, index, all) => at - (all[index - 1]?.at ?? 0) < INTERVAL_MINUTES * MINUTE,
  ),
]
