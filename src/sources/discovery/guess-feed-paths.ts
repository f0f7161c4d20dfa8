/**
 * Usual addresses of feeds, for pages that link none: in the section of the page, then at the root, most common names first.
 * There are at most seven, because each costs a request. A section gets only two, because most sites have their feed at
 * the root.
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

/** `/blog/` for `/blog/`, `/blog` and `/blog/a-post`. A name with a dot is a file, even at the root. */
function directoryOf(path: string): string {
  const directory = path.slice(0, path.lastIndexOf('/') + 1)
  const last = path.slice(directory.length)
  return directory === '/' && last !== '' && !last.includes('.') ? `/${last}/` : directory
}
