// Adds a source and polls it at once. The source is there before its first poll is over.
import { call } from '../../api/call.ts'
import type { NewSourceView, PollView, QueuedView, SourceView } from '../../api/types.ts'
import { tell } from '../../frame/notices.tsx'
import { tellProblem } from '../../parts/action.tsx'
import { nameOf } from '../../parts/small.tsx'
import { count, fromNow } from '../../parts/time.tsx'

interface Wanted {
  readonly url: string
  readonly type?: string
  readonly title?: string
  readonly backfillDays: number
}

export async function addSource(podcastPath: string, { url, type, title, backfillDays }: Wanted): Promise<SourceView> {
  const body = { url, backfillDays, ...(type ? { type } : {}) }
  const added = await call<NewSourceView>('POST', `${podcastPath}/sources`, body)
  const source: SourceView = added
  const named = { ...source, title: source.title ?? title ?? null }
  void firstPoll(`${podcastPath}/sources/${encodeURIComponent(added.id)}`, nameOf(named))
  return named
}

async function firstPoll(sourcePath: string, name: string): Promise<void> {
  try {
    tellPoll(await call('POST', `${sourcePath}/poll?wait=true&trigger=create`), `Added ${name}`)
  } catch (error) {
    tellProblem(error)
  }
}

export function tellPoll(answer: PollView | QueuedView, what: string): void {
  if ('queuedAt' in answer) {
    const later = Date.parse(answer.expectedAt) > Date.now() ? `, polled ${fromNow(answer.expectedAt)}` : ''
    tell('plain', `${what}. Queued: ${answer.reason}${later}.`)
  } else if (answer.outcome === 'success') {
    const older = answer.skipped.beforeCreated
    const left = older > 0 ? ` ${count(older, 'older entry', 'older entries')} left out.` : ''
    tell('good', `${what}: ${count(answer.created, 'new post')} of ${answer.found}.${left}`)
  } else tell('error', `${what}, ${answer.outcome} failure: ${answer.reason}`)
}
