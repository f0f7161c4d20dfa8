// Loads posts into a search index for a language model: one JSON line per chunk, with what a model needs to cite it.
// Start it again with the position of the last line to get what is new.
// Usage: npx node examples/rag.ts [position] > chunks.jsonl
import type { Post } from 'tidings'
import { ask } from './api.ts'

const CHUNK_CHARACTERS = Number(process.env.CHUNK_CHARACTERS ?? 1200)

let position = process.argv[2] ?? '0'
for (;;) {
  const page = await ask<{ items: Post[]; position: string }>('GET', `posts?after=${position}&include=markdown`)
  for (const post of page.items) writeChunks(post)
  if (page.position === position) break
  position = page.position
}
console.log(JSON.stringify({ position }))

function writeChunks(post: Post): void {
  const { id, title, url, author, publishedAt, language, sourceId, sourceTitle, usagePreferences } = post
  const metadata = { postId: id, title, url, author, publishedAt, language, sourceId, sourceTitle, usagePreferences }
  chunksOf(post.markdown ?? post.fullText ?? post.body).forEach((text, at) => {
    // The title goes into every chunk, so that a chunk from the middle is found by its subject too.
    console.log(JSON.stringify({ id: `${id}-${at}`, text: `# ${title}\n\n${text}`, metadata }))
  })
}

/** Whole paragraphs, as many as fit. A longer paragraph is cut at a sentence or a blank. */
function chunksOf(markdown: string): string[] {
  const chunks: string[] = []
  for (const piece of markdown.split(/\n{2,}/).flatMap(cut)) {
    const last = chunks.at(-1)
    if (last !== undefined && last.length + piece.length + 2 <= CHUNK_CHARACTERS) {
      chunks[chunks.length - 1] = `${last}\n\n${piece}`
    } else if (piece !== '') chunks.push(piece)
  }
  return chunks
}

function cut(paragraph: string): string[] {
  const pieces: string[] = []
  let rest = paragraph.trim()
  while (rest.length > CHUNK_CHARACTERS) {
    const head = rest.slice(0, CHUNK_CHARACTERS)
    const at = Math.max(head.lastIndexOf('. ') + 1, head.lastIndexOf(' '))
    pieces.push(rest.slice(0, at > 0 ? at : CHUNK_CHARACTERS).trim())
    rest = rest.slice(at > 0 ? at : CHUNK_CHARACTERS).trim()
  }
  return [...pieces, rest]
}
