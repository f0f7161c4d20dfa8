// Tools that change sources. They exist only where writing is allowed; what a caller may do is decided by the API.
import { z } from 'zod'
import type {
  NewSourceView,
  PodcastView,
  PollView,
  QueuedView,
  SourceView,
  UserView,
} from '../../catalogue/shapes/answers.ts'
import { text } from '../../catalogue/shapes/fields.ts'
import { newSource, sourcePatch } from '../../catalogue/shapes/schemas.ts'
import { DEFAULT_ID } from '../../domain/person.ts'
import { Refused, type Rest, segment } from '../rest.ts'
import { tool } from '../tool.ts'
import { findSource, pathOf, sourceArgument } from './fields.ts'
import { pollFacts, pollFactsOf, SOURCE_UNTRUSTED, sourceFacts, sourceFactsOf } from './sources.ts'

export const addSource = tool({
  name: 'add_source',
  title: 'Add a source',
  description:
    'Starts polling a feed, page or account. Give the address of a website: its feed is found. The address is fetched once to test it. Its first poll takes what is published from now on; backfillDays=7 also takes the last seven days.',
  input: newSource.extend({
    type: newSource.shape.type.describe('such as rss, website, youtube or twitter; left out: it is found out'),
    url: newSource.shape.url.describe('address of a feed, website, channel or account'),
    podcast: text(200, 'a podcast').optional().describe('id or name; needed only where there are several'),
  }),
  output: z.object({ source: z.object(sourceFacts) }),
  untrusted: SOURCE_UNTRUSTED,
  changes: { destructive: false, idempotent: false },
  async run(rest, { podcast, ...settings }) {
    const path = await podcastPath(rest, podcast)
    return { source: sourceFactsOf(await rest.post<NewSourceView>(`${path}/sources`, settings)) }
  },
})

export const updateSource = tool({
  name: 'update_source',
  title: 'Change a source',
  description:
    'Changes the settings of a source that are named, such as label, pollIntervalMinutes or enabled; null clears an override. enabled=false stops polling it, enabled=true starts again.',
  input: sourcePatch.extend({
    type: sourcePatch.shape.type.describe('such as rss, website, youtube or twitter'),
    url: sourcePatch.shape.url.describe('a new address; what was stored stays'),
    source: sourceArgument,
  }),
  output: z.object({ source: z.object(sourceFacts) }),
  untrusted: SOURCE_UNTRUSTED,
  // A changed address or podcast replaces what was there.
  changes: { destructive: true, idempotent: true },
  async run(rest, { source, ...settings }) {
    const path = pathOf(await findSource(rest, source))
    return { source: sourceFactsOf(await rest.patch<SourceView>(path, settings)) }
  },
})

// Shorter than the minute after which most clients give up.
const WAIT_SECONDS = 45

export const pollSource = tool({
  name: 'poll_source',
  title: 'Poll a source now',
  description:
    'Asks a source now and waits for the result. Where its host must be left alone for longer, the answer says until when instead.',
  input: z.strictObject({ source: sourceArgument }),
  output: z.object({
    poll: pollFacts.nullable().describe('null: it did not finish in time'),
    waiting: z.object({ expectedAt: z.string(), reason: z.string() }).nullable().describe('why it did not finish yet'),
  }),
  untrusted: ['reason'],
  changes: { destructive: false, idempotent: false },
  async run(rest, { source }) {
    const path = pathOf(await findSource(rest, source))
    const answer = await rest.post<PollView | QueuedView>(`${path}/poll`, {}, { wait: true, timeout: WAIT_SECONDS })
    if ('outcome' in answer) return { poll: pollFactsOf(answer), waiting: null }
    return { poll: null, waiting: { expectedAt: answer.expectedAt, reason: answer.reason } }
  },
})

/** By id or name. If none is given: the default one, or the only one that the caller may see. */
async function podcastPath(rest: Rest, wanted: string | undefined): Promise<string> {
  const podcasts = await allPodcasts(rest)
  const [only, ...others] = podcasts
  const byId = podcasts.filter(({ id }) => id === (wanted ?? DEFAULT_ID))
  const found = byId.length > 0 ? byId : podcasts.filter(({ name }) => name === wanted)
  const [one, ...more] = found
  if (one && more.length === 0) return pathOfPodcast(one)
  if (wanted === undefined && only && others.length === 0) return pathOfPodcast(only)
  const choices = podcasts.slice(0, 50).map(({ id, name }) => `${id} (${name})`)
  throw new Refused(`Say which podcast, by its id: ${choices.join(', ') || 'there is none yet'}`, 400)
}

function pathOfPodcast({ userId, id }: PodcastView): string {
  return `/api/users/${segment(userId)}/podcasts/${segment(id)}`
}

async function allPodcasts(rest: Rest): Promise<PodcastView[]> {
  const users = await rest.get<{ items: UserView[] }>('/api/users', { limit: 500 })
  const lists = users.items.map(({ id }) =>
    rest.get<{ items: PodcastView[] }>(`/api/users/${segment(id)}/podcasts`, { limit: 500 }),
  )
  return (await Promise.all(lists)).flatMap(({ items }) => items)
}
