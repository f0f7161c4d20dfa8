// The accounts of the fake X and how its API speaks of them: what is not found is a 200 with `errors`, pages go
// newest first between exclusive ids, fields that were not asked for are not sent, text is entity-encoded and cut.
import { invalid, notAuthorized, notFound, ok, suspended, withheldError, type XReply } from './fake-x-replies.ts'

export interface FakePost {
  readonly id: string
  readonly text: string
  readonly at: number
  readonly refers?: readonly { readonly type: 'replied_to' | 'retweeted' | 'quoted'; readonly id: string }[]
  /** Left out of the data and told as an error beside it. */
  readonly withheld?: boolean
}

interface Account {
  readonly id: string
  username: string
  state: 'open' | 'suspended' | 'protected'
  readonly posts: FakePost[]
}

const TEXT_CHARACTERS = 280
const PARAMETERS = ['since_id', 'until_id', 'start_time', 'tweet.fields', 'max_results', 'pagination_token']
const EARLIEST = '2010-11-06T00:00:01Z'
const FIELDS = ['created_at', 'author_id', 'note_tweet', 'referenced_tweets', 'text', 'id', 'lang', 'conversation_id']

export class FakeXAccounts {
  readonly #accounts = new Map<string, Account>()
  /** Tokens are good for the question they were given for, and for nothing else. */
  readonly #tokens = new Map<string, { question: string; before: bigint }>()

  add(id: string, username: string): void {
    this.#accounts.set(id, { id, username, state: 'open', posts: [] })
  }

  remove(id: string): void {
    this.#accounts.delete(id)
  }

  change(id: string, change: Partial<Pick<Account, 'username' | 'state'>>): void {
    Object.assign(this.#accountOf(id), change)
  }

  post(id: string, ...posts: readonly FakePost[]): void {
    this.#accountOf(id).posts.push(...posts)
  }

  byUsername(username: string, query: URLSearchParams): XReply {
    if (!/^[A-Za-z0-9_]{1,15}$/.test(username))
      return invalid('username', username, 'does not match ^[A-Za-z0-9_]{1,15}$')
    for (const name of query.keys())
      return invalid(name, query.get(name) ?? '', 'is not one of the parameters known here')
    const wanted = username.toLowerCase()
    const account = [...this.#accounts.values()].find((one) => one.username.toLowerCase() === wanted)
    if (account?.state === 'suspended') return suspended('username', username)
    if (!account) return notFound('username', username)
    return ok({ data: { id: account.id, name: account.username, username: account.username } })
  }

  timeline(id: string, query: URLSearchParams): XReply {
    const bad = badParameter(id, query)
    if (bad) return bad
    const account = this.#accounts.get(id)
    if (!account) return notFound('id', id)
    if (account.state === 'suspended') return suspended('id', id)
    if (account.state === 'protected') return notAuthorized(id)
    return this.#page(account, query)
  }

  #page(account: Account, query: URLSearchParams): XReply {
    const given = query.get('pagination_token')
    const token = given === null ? null : this.#tokens.get(given)
    const question = `${account.id} ${query.get('since_id') ?? ''} ${query.get('start_time') ?? ''}`
    if (token === undefined || (token && token.question !== question))
      return invalid('pagination_token', given ?? '', 'is not valid')
    const size = Number(query.get('max_results') ?? 10)
    const since = BigInt(query.get('since_id') ?? 0)
    const from = Date.parse(query.get('start_time') ?? EARLIEST)
    const page = account.posts
      .filter((post) => since > 0n || Math.floor(post.at / 1000) * 1000 >= from)
      .filter((post) => BigInt(post.id) > since && (!token || BigInt(post.id) < token.before))
      .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1))
      .slice(0, size)
    return ok(this.#pageBody(account, page, question, page.length === size, fieldsIn(query)))
  }

  /** As the real one does, a full page promises another, which may turn out to be empty. */
  #pageBody(account: Account, page: readonly FakePost[], question: string, full: boolean, fields: ReadonlySet<string>) {
    const shown = page.filter((post) => !post.withheld)
    const errors = page.filter((post) => post.withheld).map(withheldError)
    const oldest = page.at(-1)
    const meta: Record<string, unknown> = { result_count: shown.length }
    if (shown.length > 0) Object.assign(meta, { newest_id: shown[0]?.id, oldest_id: shown.at(-1)?.id })
    if (full && oldest) {
      meta.next_token = `t${this.#tokens.size}x${oldest.id}`
      this.#tokens.set(String(meta.next_token), { question, before: BigInt(oldest.id) })
    }
    return {
      ...(shown.length > 0 && { data: shown.map((post) => sent(account, post, fields)) }),
      ...(errors.length > 0 && { errors }),
      meta,
    }
  }

  #accountOf(id: string): Account {
    const account = this.#accounts.get(id)
    if (!account) throw new Error(`the fake X has no account ${id}`)
    return account
  }
}

function badParameter(id: string, query: URLSearchParams): XReply | null {
  if (!/^\d{1,19}$/.test(id)) return invalid('id', id, 'is not a valid id')
  for (const name of query.keys())
    if (!PARAMETERS.includes(name)) return invalid(name, '', 'is not one of the parameters known here')
  const size = query.get('max_results')
  if (size !== null && !(Number(size) >= 5 && Number(size) <= 100))
    return invalid('max_results', size, 'is not between 5 and 100')
  const since = query.get('since_id')
  if (since !== null && !/^\d{1,19}$/.test(since)) return invalid('since_id', since, 'is not a valid id')
  const start = query.get('start_time')
  if (start !== null && !(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(start) && start >= EARLIEST))
    return invalid('start_time', start, `is not a whole second since ${EARLIEST}`)
  const field = [...fieldsIn(query)].find((one) => !FIELDS.includes(one))
  return field === undefined ? null : invalid('tweet.fields', field, `is not one of [${FIELDS}]`)
}

function fieldsIn(query: URLSearchParams): ReadonlySet<string> {
  return new Set((query.get('tweet.fields') ?? '').split(',').filter((field) => field !== ''))
}

function sent(account: Account, post: FakePost, fields: ReadonlySet<string>): Record<string, unknown> {
  const characters = Array.from(post.text)
  const long = characters.length > TEXT_CHARACTERS
  const text = long ? `${characters.slice(0, TEXT_CHARACTERS - 1).join('')}…` : post.text
  const all: Record<string, unknown> = {
    // The real one gives whole seconds.
    created_at: new Date(Math.floor(post.at / 1000) * 1000).toISOString(),
    author_id: account.id,
    ...(long && { note_tweet: { text: encoded(post.text) } }),
    ...(post.refers && { referenced_tweets: post.refers }),
  }
  const asked = Object.fromEntries(Object.entries(all).filter(([field]) => fields.has(field)))
  return { id: post.id, text: encoded(text), edit_history_tweet_ids: [post.id], ...asked }
}

function encoded(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
