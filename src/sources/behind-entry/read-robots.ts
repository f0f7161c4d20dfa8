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
  const robots = parse(new URL('/robots.txt', url).href, groupFor(text, productToken))
  const delay = robots.getCrawlDelay(productToken)
  const usage = [...text.matchAll(/^[ \t]*(content-(?:signal|usage)[ \t]*:[^\r\n]*)$/gim)].map(([, line = '']) =>
    line.trim(),
  )
  return {
    allowed: robots.isAllowed(unescaped(url), productToken) ?? true,
    crawlDelaySeconds: typeof delay === 'number' && delay > 0 ? delay : null,
    usagePreferences: [...new Set(usage)].join('; ').slice(0, MAX_USAGE_CHARS) || null,
  }
}

/**
 * The rules for this program alone: those of its own groups, else those for everybody. The package copies each rule for
 * each name above it, so that a long list of names and a long list of rules would fill the memory.
 */
function groupFor(text: string, productToken: string): string {
  const own: string[] = []
  const everybody: string[] = []
  let [isNamed, namesOwn, namesAll, amongNames] = [false, false, false, false]
  for (const line of text.split(/[\r\n]+/)) {
    const [written = ''] = line.split('#', 1)
    const colon = written.indexOf(':')
    const key = written.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    if (key === 'user-agent') {
      if (!amongNames) namesOwn = namesAll = false
      amongNames = true
      const [name = ''] = written.slice(colon + 1).split('/', 1)
      if (name.trim() === '*') namesAll = true
      else if (name.trim().toLowerCase() === productToken.toLowerCase()) namesOwn = isNamed = true
    } else if (RULES.has(key)) {
      amongNames = false
      if (namesOwn) own.push(unescaped(written))
      if (namesAll) everybody.push(unescaped(written))
    }
  }
  return ['User-agent: *', ...(isNamed ? own : everybody)].join('\n')
}

/** RFC 9309: `%70` and `p` are the same in a path. Only characters without a meaning of their own are decoded. */
function unescaped(path: string): string {
  return path.replace(/%(?:2[DE]|3\d|[46][1-9A-F]|[57][0-9A]|5F|7E)/gi, decodeURIComponent)
}

const RULES = new Set(['allow', 'disallow', 'crawl-delay'])
