// Statements of the polls' story, which are sent again and again: PostgreSQL parses and plans each of them once for a
// connection. That is more than half of what a poll costs it.
// See docs/decisions/0159-poll-that-found-nothing-is-three-statements.md
import { createHash } from 'node:crypto'

/** What a poll writes depends on what it found, so some of them have several texts. The server keeps each. */
const MOST = 200

const names = new Map<string, string>()

/** Marks a statement; returns it as it is. */
export function prepared(sql: string): string {
  // The name follows from the text: whoever meets the name behind a connection pooler means the same statement.
  if (!names.has(sql) && names.size < MOST) names.set(sql, createHash('sha1').update(sql).digest('hex'))
  return sql
}

export function nameOfPrepared(sql: string): string | undefined {
  return names.get(sql)
}
