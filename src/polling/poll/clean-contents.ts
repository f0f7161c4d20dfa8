// The HTML of candidates that become posts is cleaned in worker threads. That costs many times what reading the feed
// costs, and most entries of a feed are known already, so it is done only for new posts. Simple HTML of entries that are
// likely to be new comes clean from the reader.
// A post whose HTML cannot be cleaned in time is stored without it.
// See docs/decisions/0120-html-is-cleaned-for-new-posts-only.md
import type { Candidate, WrittenContent } from '../../domain/post.ts'
import type { Documents } from '../../ports/documents.ts'

const CHARACTERS_AT_ONCE = 1_000_000

export async function withCleanHtml(
  documents: Pick<Documents, 'cleanHtml'>,
  posts: readonly Candidate[],
): Promise<readonly Candidate[]> {
  const cleaned: Candidate[] = []
  for (const some of bySize(posts)) cleaned.push(...(await cleanSome(documents, some)))
  return cleaned
}

async function cleanSome(documents: Pick<Documents, 'cleanHtml'>, posts: readonly Candidate[]): Promise<Candidate[]> {
  const contents = posts.flatMap(({ content }): WrittenContent[] => (content ? [content] : []))
  const result = contents.length === 0 ? null : await documents.cleanHtml(contents)
  const clean = result?.ok ? [...result.value] : []
  return posts.map(({ content, ...post }) => {
    if (!content) return post
    const { htmlBytes, image } = clean.shift() ?? { htmlBytes: null, image: null }
    return { ...post, htmlBytes, image: post.image ?? image }
  })
}

function* bySize(posts: readonly Candidate[]): Generator<readonly Candidate[]> {
  let some: Candidate[] = []
  let characters = 0
  for (const post of posts) {
    some.push(post)
    characters += post.content?.html.length ?? 0
    if (characters < CHARACTERS_AT_ONCE) continue
    yield some
    some = []
    characters = 0
  }
  if (some.length > 0) yield some
}
