// One post to read: its text with pictures and media, and ways to take it elsewhere.
import { useEffect } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { PostView } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { tell } from '../../frame/notices.tsx'
import type { Podcast } from '../../frame/podcasts.ts'
import { usePlaceOnPage } from '../../frame/router.ts'
import { ActionButton } from '../../parts/action.tsx'
import { Outside, Trouble } from '../../parts/small.tsx'
import { inFull } from '../../parts/time.tsx'
import { usePodcastOf } from '../source/podcast-of.ts'
import { Enclosures } from './enclosures.tsx'
import { Highlighted, wordsOf } from './highlight.tsx'
import { OtherPosts } from './other-posts.tsx'
import { PostBody } from './post-body.tsx'
import { hostOf } from './post-row.tsx'

export function PostPage({ podcast, id }: { readonly podcast: Podcast; readonly id: string }) {
  const { query } = usePlaceOnPage()
  const { data: post, problem } = useAnswer<PostView>(`/posts/${encodeURIComponent(id)}?include=html,markdown`, {
    when: ({ type }) => type === 'posts.completed',
  })
  const { home } = usePodcastOf(podcast, post?.sourceId ?? null)
  const path = `${home.path}/posts/${encodeURIComponent(id)}`
  useEffect(() => {
    if (post) document.title = `${post.title} · Tidings`
  }, [post])
  if (!post)
    return (
      <>
        <h1>{problem ? 'No such post' : ''}</h1>
        {problem ? <Trouble problem={problem} /> : <p class="loading">Loading</p>}
      </>
    )
  const searched = query.get('q') ?? ''
  const words = wordsOf(searched)
  return (
    <article class="reading" lang={post.language ?? undefined}>
      <p class="crumbs">
        <a href={`/posts${searched ? `?${new URLSearchParams({ q: searched })}` : ''}`}>
          {searched ? 'All hits' : 'All posts'}
        </a>
        <a href={`/sources/${encodeURIComponent(post.sourceId)}`}>{post.sourceTitle ?? 'Its source'}</a>
      </p>
      <h1 dir="auto">
        <Highlighted text={post.title} words={words} />
      </h1>
      <p class="meta">
        <Outside url={post.url}>{hostOf(post.url) || post.url}</Outside>
        {post.author && <bdi>{post.author}</bdi>}
        <time dateTime={post.publishedAt ?? post.createdAt}>{inFull(post.publishedAt ?? post.createdAt)}</time>
        {post.commentsUrl && <Outside url={post.commentsUrl}>Comments</Outside>}
      </p>
      <PostActions post={post} path={path} />
      <PostBody post={post} words={words} />
      <Enclosures enclosures={post.enclosures ?? []} />
      {post.categories.length > 0 && (
        <ul class="tags" aria-label="Categories">
          {post.categories.map((category) => (
            <li key={category}>{category}</li>
          ))}
        </ul>
      )}
      <OtherPosts id={id} query={searched} />
    </article>
  )
}

function PostActions({ post, path }: { readonly post: PostView; readonly path: string }) {
  const copy = async (text: string, what: string) => {
    await copyText(text)
    tell('good', `${what} copied.`)
  }
  const fetchFullText = async () => {
    await call('POST', `${path}/full-text`)
    tell('good', 'The full text is fetched when its host is free.')
  }
  return (
    <div class="actions">
      <ActionButton work={() => copy(post.url, 'Link')}>Copy link</ActionButton>
      <ActionButton work={() => copy(markdownOf(post), 'Markdown')}>Copy as Markdown</ActionButton>
      {post.fullTextState !== undefined && post.fullTextState !== 'fetched' && (
        <ActionButton work={fetchFullText}>Fetch full text</ActionButton>
      )}
    </div>
  )
}

function markdownOf(post: PostView): string {
  const by = [post.author, post.publishedAt?.slice(0, 10)].filter(Boolean).join(', ')
  return [`# [${post.title}](${post.url})`, by && `*${by}*`, post.markdown ?? post.body].filter(Boolean).join('\n\n')
}

/** Over plain http a browser offers no clipboard, except through a selection. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (!isCopied) throw new Error('This browser does not let the page copy. Select the text instead.')
}
