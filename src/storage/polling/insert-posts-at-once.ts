// New posts on PostgreSQL: with their HTML and the pages behind them they are part of one statement, which takes their ids
// too. Each column is one array, so the statement's text does not depend on how many posts there are, and it is prepared
// once for all polls.
// See docs/decisions/0208-poll-with-new-posts-is-one-statement.md
import type { Source } from '../../domain/source.ts'
import { type ArrayType, arraysOf, binaryArray, columnOf } from '../database/binary-array.ts'
import type { ColumnType } from '../database/columns.ts'
import { fromOnlyIf, type LaterWrites } from '../database/later-writes.ts'
import { type NewRows, newRows, PAGE_COLUMNS, type PackedCandidate, VALUE_COLUMNS } from './new-posts.ts'
import { postCodec } from './post-row.ts'

/** The query that takes their ids is called so in the statement. */
const NEW_POSTS = 'new_posts'

/** Its id, as a part of the same statement. */
export const LAST_NEW_POST = `(SELECT ids[cardinality(ids)] FROM ${NEW_POSTS})`

const ARRAY_TYPES: Readonly<Record<ColumnType, ArrayType>> = {
  text: 'text',
  json: 'text',
  id: 'bigint',
  integer: 'bigint',
  boolean: 'bigint',
  real: 'text',
}
const MORE_TYPES: Readonly<Record<string, ArrayType>> = {
  podcast_id: 'text',
  content_bytes: 'bigint',
  html_index: 'bigint',
}
const VALUE_TYPES = VALUE_COLUMNS.map((column) => MORE_TYPES[column] ?? ARRAY_TYPES[postCodec.typeOf(column) ?? 'text'])
const PAGE_TYPES: readonly ArrayType[] = ['text', 'text', 'text', 'bigint', 'bigint']

export async function addNewPosts(
  later: LaterWrites,
  source: Source,
  posts: readonly PackedCandidate[],
  at: number,
): Promise<void> {
  const { rows, bundles, pages } = newRows(source, posts, at)
  later.define(NEW_POSTS, `${later.dialect.ids.take}${fromOnlyIf(later)}`, ['posts', posts.length])
  await addPosts(later, rows)
  if (bundles.length > 0) await addBundles(later, bundles)
  if (pages.length > 0) await addPages(later, pages)
}

const INSERT_POSTS = `INSERT INTO posts (id, ${VALUE_COLUMNS.join(', ')}, html_bundle)
  SELECT p.ids[r.place], ${VALUE_COLUMNS.map((column) => `r.${column}`).join(', ')}, p.ids[r.bundle_at]
  FROM ${NEW_POSTS} p, ${arraysOf([...VALUE_TYPES, 'bigint'])} WITH ORDINALITY AS r (${VALUE_COLUMNS.join(', ')}, bundle_at, place)`

async function addPosts(later: LaterWrites, rows: NewRows['rows']): Promise<void> {
  const values = rows.map((row) => row.values)
  const arrays = VALUE_TYPES.map((type, column) => binaryArray(type, columnOf(values, column)))
  const bundleAt = rows.map((row) => row.bundleAt)
  await later.run(INSERT_POSTS, [...arrays, binaryArray('bigint', bundleAt)])
}

const INSERT_BUNDLES = `INSERT INTO html_bundles (id, last_post_id, html)
  SELECT p.ids[b.first_at], p.ids[b.last_at], b.html
  FROM ${NEW_POSTS} p, ${arraysOf(['bigint', 'bigint', 'bytea'])} AS b (first_at, last_at, html)`

async function addBundles(later: LaterWrites, bundles: NewRows['bundles']): Promise<void> {
  await later.run(INSERT_BUNDLES, [
    ...[bundles.map(({ firstAt }) => firstAt), bundles.map(({ lastAt }) => lastAt)].map((at) =>
      binaryArray('bigint', at),
    ),
    binaryArray(
      'bytea',
      bundles.map(({ packed }) => packed),
    ),
  ])
}

const INSERT_PAGES = `INSERT INTO page_fetches (post_id, ${PAGE_COLUMNS.join(', ')})
  SELECT p.ids[f.post_at], ${PAGE_COLUMNS.map((column) => `f.${column}`).join(', ')}
  FROM ${NEW_POSTS} p, ${arraysOf(['bigint', ...PAGE_TYPES])} AS f (post_at, ${PAGE_COLUMNS.join(', ')})`

async function addPages(later: LaterWrites, pages: NewRows['pages']): Promise<void> {
  const values = pages.map((page) => page.values)
  const arrays = PAGE_TYPES.map((type, column) => binaryArray(type, columnOf(values, column)))
  const postAt = pages.map((page) => page.postAt)
  await later.run(INSERT_PAGES, [binaryArray('bigint', postAt), ...arrays])
}
