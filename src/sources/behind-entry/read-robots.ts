/** What robots.txt says about one address to this program. */
import robotsParser from 'robots-parser'

export type RobotsWord = {
  allowed: boolean
  crawlDelaySeconds: number | null
  /** The lines about the use of content (`Content-Signal`, `Content-Usage`), as written. */
  usagePreferences: string | null
}

const MAX_USAGE_CHARS = 500

// The package is CommonJS, and its types describe the function as its default export.
const parse = robotsParser as unknown as (
  url: string,
  text: string,
) => {
  isAllowed(url: string, agent: string): boolean | undefined
  getCrawlDelay(agent: string): number | undefined
}

export function readRobots(text: string, url: string, productToken: string): RobotsWord {
  const robots = parse(new URL('/robots.txt', url).href, text)
  const delay = robots.getCrawlDelay(productToken)
  const usage = [...text.matchAll(/^[ \t]*(content-(?:signal|usage)[ \t]*:[^\r\n]*)$/gim)].map(([, line = '']) =>
    line.trim(),
  )
  return {
    allowed: robots.isAllowed(url, productToken) ?? true,
    crawlDelaySeconds: typeof delay === 'number' && delay > 0 ? delay : null,
    usagePreferences: [...new Set(usage)].join('; ').slice(0, MAX_USAGE_CHARS) || null,
  }
}
