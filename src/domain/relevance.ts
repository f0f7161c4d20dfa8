// How well a post fits a search: occurrences in the title count most; in the text each further one counts less, and
// occurrences in a short text count more than in a long one.
import type { SearchQuery, SearchTerm } from './search-query.ts'
import { fold, searchWords, wordsOfFolded } from './search-words.ts'

const TITLE_WEIGHT = 3
const USUAL_WORDS = 200
const LOOKED_AT = 4000

export function relevanceOf(post: { readonly title: string; readonly body: string }, { all }: SearchQuery): number {
  const title = searchWords(post.title)
  const body = searchWords(post.body.slice(0, LOOKED_AT))
  const scores = all.map((term) => {
    const inTitle = TITLE_WEIGHT * share(occurrences(title, term), title.length / 10)
    return term.titleOnly ? inTitle : inTitle + share(occurrences(body, term), 0.3 + body.length / USUAL_WORDS)
  })
  return scores.reduce((sum, score) => sum + score, 0)
}

/** From 0 to 1. */
function share(found: number, half: number): number {
  return found === 0 ? 0 : found / (found + half)
}

/** Whether a post is found at all, for posts that are not in the index. */
export function matchesSearch(post: { readonly title: string; readonly body: string }, query: SearchQuery): boolean {
  const folded = [fold(post.title), fold(post.body)]
  const mayHave = (term: SearchTerm) => term.words.every((word) => folded.some((text) => text.includes(word)))
  if (query.all.length === 0 || !query.all.every(mayHave)) return false
  const [title = [], body = []] = folded.map(wordsOfFolded)
  const has = (term: SearchTerm) => occurrences(title, term) > 0 || (!term.titleOnly && occurrences(body, term) > 0)
  return query.all.every(has) && !query.none.some(has)
}

function occurrences(words: readonly string[], { words: wanted, prefix }: SearchTerm): number {
  const [first = ''] = wanted
  if (prefix) return words.filter((word) => word.startsWith(first)).length
  let found = 0
  for (let at = words.indexOf(first); at >= 0; at = words.indexOf(first, at + 1)) {
    if (wanted.every((word, index) => words[at + index] === word)) found++
  }
  return found
}
