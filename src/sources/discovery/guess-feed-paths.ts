/**
 * Where a feed usually is when a page announces none: in the page's section, then at the root, the commonest names first.
 * A last resort, at most eight addresses: every one is a request to somebody's server.
 */

const AT_ROOT = ['feed', 'rss.xml', 'feed.xml', 'atom.xml', 'index.xml', 'rss', 'feed.json', 'blog/feed']
const IN_SECTION = ['feed', 'rss.xml', 'feed.xml', 'index.xml']
const MAX_GUESSES = 8

export function guessFeedPaths(url: string): string[] {
  if (!URL.canParse(url)) return []
  const page = new URL(url)
  if (page.protocol !== 'http:' && page.protocol !== 'https:') return []
  const root = `${page.origin}/`
  const section = new URL(directoryOf(page.pathname), root).href
  const atRoot = AT_ROOT.map((name) => root + name)
  if (section === root) return atRoot.slice(0, MAX_GUESSES)
  return [...new Set([...IN_SECTION.map((name) => section + name), ...atRoot])].slice(0, MAX_GUESSES)
}

/** `/blog/` of `/blog/`, `/blog` and `/blog/a-post`; a name with a dot is a file even at the top. */
function directoryOf(path: string): string {
  const directory = path.slice(0, path.lastIndexOf('/') + 1)
  const last = path.slice(directory.length)
  return directory === '/' && last !== '' && !last.includes('.') ? `/${last}/` : directory
}
