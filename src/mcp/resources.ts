// Posts, articles and sources as MCP resources: plain text of at most 25,000 characters, which says where it was cut.
import type { ArticleWithPostsView, PostView, SourceView } from '../catalogue/shapes/answers.ts'
import { MAX_CHARACTERS, shorten } from './fit.ts'
import { type Rest, segment } from './rest.ts'
import { plainTextOf } from './tools/posts.ts'
import { createMarks, visible, visibleAnswer } from './untrusted.ts'

export const RESOURCE_TEMPLATES = [
  { kind: 'posts', name: 'post', title: 'A post', description: 'One stored post as text' },
  { kind: 'articles', name: 'article', title: 'An article', description: 'One article as text' },
  {
    kind: 'sources',
    name: 'source',
    title: 'A source',
    description: 'One source with its settings and health, as JSON',
  },
].map(({ kind, ...described }) => ({
  ...described,
  uriTemplate: `tidings://${kind}/{id}`,
  mimeType: kind === 'sources' ? 'application/json' : 'text/plain',
}))

/** What documents, redirects and failures wrote into a source. Each has a limit, so that the whole stays short. */
// Labels and folders may come from an imported list.
const UNTRUSTED_OF_SOURCE = [
  ...['title', 'label', 'folder', 'url', 'siteUrl', 'feedUrl', 'language', 'lastSeenId', 'lastFailureReason'],
]

const ADDRESS = /^tidings:\/\/(posts|articles|sources)\/([^/?#]{1,200})$/

export interface ReadResource {
  readonly uri: string
  readonly mimeType: string
  readonly text: string
}

/** Returns null if no resource can have this address. */
export async function readResource(rest: Rest, uri: string): Promise<ReadResource | null> {
  const [, kind, id] = ADDRESS.exec(uri) ?? []
  if (!kind || !id) return null
  const path = `/api/${kind}/${segment(decoded(id))}`
  if (kind === 'sources') {
    const source = await rest.get<SourceView>(path)
    return {
      uri,
      mimeType: 'application/json',
      text: JSON.stringify(visibleAnswer({ ...source, untrustedFields: UNTRUSTED_OF_SOURCE }), null, 2),
    }
  }
  const item = await rest.get<PostView | ArticleWithPostsView>(path)
  const body = kind === 'posts' ? plainTextOf(item as PostView) : item.body
  return { uri, mimeType: 'text/plain', text: asText(item, body, kind === 'posts' ? 'get_post' : 'get_article') }
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

const ROOM_FOR_NOTES = 1000

function asText(item: PostView | ArticleWithPostsView, body: string, readOn: string): string {
  const marks = createMarks()
  const head = [shorten(item.title, 500), shorten(item.url, 2000), ...(item.author ? [shorten(item.author, 200)] : [])]
  const whole = `${head.join('\n')}\n\n${visible(body)}`
  const text = shorten(whole, MAX_CHARACTERS - ROOM_FOR_NOTES)
  const dated = `Published ${item.publishedAt ?? 'at an unknown time'}, stored ${item.createdAt}.`
  const cut =
    text === whole ? [] : [`Cut here: the text goes on. ${readOn} with id ${item.id} reads all of it, in slices.`]
  return [dated, marks.note, marks.around(text), ...cut].join('\n')
}
