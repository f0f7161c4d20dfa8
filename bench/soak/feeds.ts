// Feeds that publish all the time, for a real `serve` to poll.
import type { Origin } from '../../test/support/origin.ts'
import { rss } from '../../test/support/product.ts'

/** Each feed has a new entry every 20 seconds and is asked every minute, the shortest interval that there is. */
export async function addSources(url: string, origins: readonly Origin[], sources: number): Promise<void> {
  for (let n = 0; n < sources; n++) {
    const origin = origins[n % origins.length]
    const path = `/feed-${n}`
    origin?.route(path, (_request, response) => {
      const now = Math.floor(Date.now() / 20_000)
      const items = Array.from({ length: 20 }, (_, back) => ({
        title: `Entry ${now - back} of ${n}`,
        guid: `${n}-${now - back}`,
      }))
      response.end(rss(items))
    })
    await fetch(`${url}/api/users/default/podcasts/default/sources`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'rss', url: `${origin?.url}${path}`, pollIntervalMinutes: 1, validate: false }),
    })
  }
}
