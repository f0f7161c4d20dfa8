import type { Post } from '../../domain/post.ts'
import { codecOf } from '../database/columns.ts'
import type { Row } from '../database/db.ts'

export const postCodec = codecOf<Post>({
  id: ['id', 'id'],
  sourceId: ['source_id', 'text'],
  title: ['title', 'text'],
  body: ['body', 'text'],
  url: ['url', 'text'],
  publishedAt: ['published_at', 'integer'],
  author: ['author', 'text'],
  guid: ['guid', 'text'],
  categories: ['categories', 'json'],
  contentHash: ['content_hash', 'text'],
  createdAt: ['created_at', 'integer'],
  language: ['language', 'text'],
  image: ['image', 'text'],
  enclosures: ['enclosures', 'json'],
  commentsUrl: ['comments_url', 'text'],
  usagePreferences: ['usage_preferences', 'text'],
  transcriptUrl: ['transcript_url', 'text'],
  fullTextState: ['full_text_state', 'text'],
  fullTextReason: ['full_text_reason', 'text'],
})

export function readPost(row: Row): Post {
  return postCodec.read(row)
}
