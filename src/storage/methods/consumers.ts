// Methods of the store about posts, articles and cursors.
import { aggregateArticles } from '../articles/aggregate-articles.ts'
import { getArticle, listArticles, markProcessed } from '../articles/articles.ts'
import { getCursor, lastPostId, listCursors, putCursor, removeCursor } from '../posts/consumer-cursors.ts'
import { followPosts } from '../posts/follow-posts.ts'
import { indexPosts, unindexedPosts } from '../posts/index-posts.ts'
import { findPost, getPost, listPosts } from '../posts/list-posts.ts'
import { postContents, sourceTitles } from '../posts/post-contents.ts'
import type { Bind } from './bind.ts'

export function consumerMethods({ verb, verbByTypes }: Bind) {
  return {
    listPosts: verb(listPosts),
    findPost: verb(findPost),
    getPost: verb(getPost),
    followPosts: verb(followPosts),
    indexPosts: verb(indexPosts),
    unindexedPosts: verb(unindexedPosts),
    postContents: verb(postContents),
    sourceTitles: verb(sourceTitles),
    lastPostId: verb(lastPostId),
    aggregateArticles: verbByTypes(aggregateArticles),
    listArticles: verb(listArticles),
    getArticle: verb(getArticle),
    markProcessed: verb(markProcessed),
    putCursor: verb(putCursor),
    getCursor: verb(getCursor),
    listCursors: verb(listCursors),
    removeCursor: verb(removeCursor),
  }
}
