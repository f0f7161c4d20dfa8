// The text of a post. Its HTML was sanitised by the server, and the policy of the page lets nothing in it run.
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { PostView } from '../../api/types.ts'
import { Highlighted, highlightIn } from './highlight.tsx'

export function PostBody({ post, words }: { readonly post: PostView; readonly words: readonly string[] }) {
  const place = useRef<HTMLDivElement>(null)
  const html = post.html ?? null
  useLayoutEffect(() => {
    const element = place.current
    if (!element || html === null) return
    element.replaceChildren(...contentOf(html))
    highlightIn(element, words)
  }, [html, words.join('\n')])
  if (html !== null) return <div ref={place} class="prose" dir="auto" />
  return (
    <div class="prose" dir="auto">
      {post.image && <img src={post.image} alt="" loading="lazy" />}
      {(post.fullText ?? post.body).split(/\n{2,}/).map((paragraph, index) => (
        <p key={`${index}-${paragraph.slice(0, 20)}`}>
          <Highlighted text={paragraph} words={words} />
        </p>
      ))}
    </div>
  )
}

/** Parsed apart from the page, so that nothing loads before links and pictures are as they should be. */
function contentOf(html: string): Node[] {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const element of body.querySelectorAll('script, style, iframe, object, embed, form, link, meta, base'))
    element.remove()
  for (const element of body.querySelectorAll('*')) {
    for (const { name } of [...element.attributes]) if (/^(on|style$)/i.test(name)) element.removeAttribute(name)
  }
  for (const link of body.querySelectorAll('a')) {
    link.target = '_blank'
    link.rel = 'noopener noreferrer'
    if (!/^https?:$/.test(link.protocol)) link.removeAttribute('href')
  }
  for (const image of body.querySelectorAll('img')) image.loading = 'lazy'
  return [...body.childNodes].map((node) => document.importNode(node, true))
}
