// Completes posts for an answer: the title of their source, their full text, and HTML or Markdown if they are asked for.
// Markdown is made from the HTML in worker threads when somebody asks, so that it takes no room in the store.
import { excerptOf } from '../../domain/excerpt.ts'
import type { Post, PostContent } from '../../domain/post.ts'
import type { SearchQuery } from '../../domain/search-query.ts'
import type { Documents } from '../../ports/documents.ts'
import type { Store } from '../../ports/store.ts'
import type { PostView } from '../shapes/answers.ts'
import { postView } from '../shapes/views.ts'

export interface PostPartsDeps {
  readonly store: Pick<Store, 'postContents' | 'sourceTitles'>
  readonly documents: Pick<Documents, 'toMarkdown'>
}

export interface WantedParts {
  readonly include?: readonly ('html' | 'markdown')[] | null | undefined
  readonly fields?: readonly (keyof PostView)[] | null | undefined
  /** Then each post has an excerpt around the first hit. */
  readonly search?: SearchQuery | null
}

const CHARACTERS_AT_ONCE = 500_000

export async function completePosts(
  { store, documents }: PostPartsDeps,
  posts: readonly Post[],
  { include, fields, search }: WantedParts = {},
): Promise<PostView[]> {
  const wanted = new Set(include ?? [])
  const titles = await store.sourceTitles([...new Set(posts.map((post) => post.sourceId))])
  const stored = wanted.size > 0 ? posts : posts.filter((post) => post.fullTextState === 'fetched')
  const ids = stored.map((post) => post.id)
  const contents = ids.length === 0 ? NONE : await store.postContents(ids, { html: wanted.size > 0 })
  const markdown = wanted.has('markdown') ? await markdownOf(documents, contents) : NONE_AS_TEXT
  return posts.map((post) => {
    const content = contents.get(post.id)
    const view = postView(post, {
      sourceTitle: titles.get(post.sourceId) ?? null,
      fullText: content?.fullText ?? null,
    })
    const whole: PostView = {
      ...view,
      ...(search && { excerpt: excerptOf(content?.fullText || post.body, search) }),
      ...(wanted.has('html') && { html: content?.html ?? null }),
      ...(wanted.has('markdown') && { markdown: markdown.get(post.id) ?? null }),
    }
    return fields ? onlyFields(whole, fields) : whole
  })
}

const NONE: ReadonlyMap<string, PostContent> = new Map()
const NONE_AS_TEXT: ReadonlyMap<string, string> = new Map()

/** Who asks for some fields gets only these; the type says what a whole post has. */
function onlyFields(post: PostView, fields: readonly (keyof PostView)[]): PostView {
  return Object.fromEntries(fields.filter((field) => field in post).map((field) => [field, post[field]])) as PostView
}

async function markdownOf(
  documents: Pick<Documents, 'toMarkdown'>,
  contents: ReadonlyMap<string, PostContent>,
): Promise<ReadonlyMap<string, string>> {
  const markdown = new Map<string, string>()
  let some: [id: string, html: string][] = []
  let characters = 0
  const convert = async () => {
    const result = await documents.toMarkdown(some.map(([, html]) => html))
    if (result.ok) for (const [at, [id]] of some.entries()) markdown.set(id, result.value[at] ?? '')
    some = []
    characters = 0
  }
  for (const [id, { html }] of contents) {
    if (html === null) continue
    some.push([id, html])
    characters += html.length
    if (characters >= CHARACTERS_AT_ONCE) await convert()
  }
  if (some.length > 0) await convert()
  return markdown
}
