/**
 * Where a feed usually is when a page announces none: in the page's section, then at the root, the commonest names first.
 * A last resort, seven addresses at most: every one is a request to somebody's server. A section gets two only, because most
 * sites that have a feed have it at the root.
 */
import { URL_CHARACTERS } from '../../domain/source.ts'

const FOR_ROOT_PAGE = ['feed', 'rss.xml', 'atom.xml', 'index.xml', 'feed.xml', 'rss', 'feed.json']
const IN_SECTION = ['feed', 'index.xml']
const AT_ROOT_OF_SECTION = ['feed', 'rss.xml', 'atom.xml', 'index.xml']

export function guessFeedPaths(url: string): string[] {
  if (!URL.canParse(url)) return []
  const page = new URL(url)
  if (page.protocol !== 'http:' && page.protocol !== 'https:') return []
  const root = `${page.origin}/`
  const section = new URL(directoryOf(page.pathname), root).href
  if (section === root) return FOR_ROOT_PAGE.map((name) => root + name)
  const inSection = IN_SECTION.map((name) => section + name).filter((guess) => guess.length <= URL_CHARACTERS)
  return [...inSection, ...AT_ROOT_OF_SECTION.map((name) => root + name)]
}

/** `/blog/` of `/blog/`, `/blog` and `/blog/a-post`; a name with a dot is a file even at the top. */
function directoryOf(path: string): string {
  const directory = path.slice(0, path.lastIndexOf('/') + 1)
  const last = path.slice(directory.length)
  return directory === '/' && last !== '' && !last.includes('.') ? `/${last}/` : directory
}
