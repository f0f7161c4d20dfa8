// What the dashboard, a program or a person asks a large store.
const SOURCES = '/api/users/default/podcasts/default/sources'
/** One that `fill.ts` gives a poll. */
const one = (sources: number) => `00000000-0000-7000-8000-0000${10_000_000 + Math.floor(sources / 10)}`

const SORTS = ['created', 'title', 'health', 'nextPollAt', 'lastPolled', 'postCount'].flatMap((name) => [
  name,
  `-${name}`,
])

const OF_ALL: Readonly<Record<string, string>> = {
  status: '/api/status',
  'status of a podcast': '/api/status?podcast=default',
  metrics: '/metrics',
  ...Object.fromEntries(SORTS.map((sort) => [`sources by ${sort}`, `${SOURCES}?sort=${sort}`])),
  'sources of all podcasts': '/api/sources',
  ...Object.fromEntries(
    ['ok', 'failing', 'disabled', 'quiet', 'new'].map((health) => [
      `sources that are ${health}`,
      `${SOURCES}?health=${health}`,
    ]),
  ),
  'failing sources by title': `${SOURCES}?health=failing&sort=title`,
  'quiet sources by next poll': `${SOURCES}?health=quiet&sort=nextPollAt`,
  'sources of a type': `${SOURCES}?type=website`,
  'sources of a type that nobody has': `${SOURCES}?type=youtube`,
  'sources of a host': `${SOURCES}?host=host19999.example`,
  'sources of a host that nobody has': `${SOURCES}?host=nowhere.example`,
  'sources of a host by title': `${SOURCES}?host=host19999.example&sort=title`,
  'a source by its address': '/api/sources?url=https://host7.example/blog/777/feed.xml',
  'search: a common word': `${SOURCES}?q=author`,
  'search: one source': `${SOURCES}?q=blog/19999/`,
  'search: one source by title': `${SOURCES}?q=author+19999&sort=title`,
  'search: nothing found': `${SOURCES}?q=nobody+wrote+this`,
  'search: two letters, nothing found': `${SOURCES}?q=zq`,
  'search: one letter': `${SOURCES}?q=a`,
  'search among failing sources': `${SOURCES}?q=topic+3&health=failing`,
  'search: all podcasts, nothing found': '/api/sources?q=nobody+wrote+this',
  hosts: '/api/hosts',
  '500 hosts': '/api/hosts?limit=500',
  'hosts left alone': '/api/hosts?waiting=true',
  'one host': '/api/hosts/host7.example',
  'polls of all': '/api/polls',
  'failed polls of all': '/api/polls?outcome=permanent',
  'polls of a host': '/api/polls?host=host7.example',
  'activity of 3 days': '/api/activity?hours=72',
  'activity of a podcast': '/api/activity?hours=72&podcast=default',
  forecast: '/api/forecast',
  posts: '/api/users/default/podcasts/default/posts',
  'posts of all podcasts': '/api/posts',
  'unlinked posts': '/api/users/default/podcasts/default/posts?unlinked=true',
  articles: '/api/users/default/podcasts/default/articles',
}

/** `sources`: how many the store has, at least 20,000. */
export function questionsTo(sources: number): Readonly<Record<string, string>> {
  const source = `${SOURCES}/${one(sources)}`
  return {
    ...OF_ALL,
    'one source': source,
    'polls of a source': `${source}/polls`,
    'days of a source': `${source}/days`,
    'why of a source': `${source}/why`,
  }
}

/** Lists that grow with posts. */
export function postLists(sources: number): Readonly<Record<string, string>> {
  const posts = '/api/users/default/podcasts/default/posts'
  return {
    'newest posts': posts,
    'unlinked posts': `${posts}?unlinked=true`,
    'posts of all podcasts': '/api/posts',
    'posts of a source': `${posts}?source=${one(sources)}`,
    'posts that are followed': `${posts}?after=0`,
  }
}
