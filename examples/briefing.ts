// A daily briefing: makes articles of what came in since the last one, prints them as text, and marks them as processed.
// Run it from cron: `npx node examples/briefing.ts | mail -s Briefing me@example.org`
import type { Article, List, Source } from 'tidings'
import { ask } from './api.ts'

const SHOWN_CHARACTERS = 300
const AT_ONCE = 1000

await ask('POST', 'articles', {})
const articles = await everything<Article>('articles?processed=false')
const sources = new Map((await everything<Source>('sources')).map((source) => [source.id, source]))

const bySource = Map.groupBy(articles, ({ sourceId }) => sourceId)
for (const [sourceId, found] of bySource) {
  const source = sources.get(sourceId)
  console.log(`\n## ${source?.label ?? source?.title ?? source?.url}\n`)
  for (const { title, body, url } of found) console.log(`- ${title}\n  ${shorten(body)}\n  ${url}`)
}
if (articles.length === 0) console.log('Nothing new.')

// Only now: if this program fails before, the next briefing has them again.
const ids = articles.map(({ id }) => id)
for (let at = 0; at < ids.length; at += AT_ONCE) {
  await ask('POST', 'articles/processed', { ids: ids.slice(at, at + AT_ONCE) })
}

/** All pages of a list. */
async function everything<T>(path: string): Promise<T[]> {
  const items: T[] = []
  let cursor = ''
  do {
    const page: List<T> = await ask('GET', `${path}${path.includes('?') ? '&' : '?'}limit=500${cursor}`)
    items.push(...page.items)
    cursor = page.nextCursor === null ? '' : `&cursor=${encodeURIComponent(page.nextCursor)}`
  } while (cursor !== '')
  return items
}

function shorten(text: string): string {
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS).replace(/\s+\S*$/, '')} ...`
}
