// One source: why it is or is not polled, what its polls brought, its settings and its posts.
import { useEffect } from 'preact/hooks'
import { call } from '../../api/call.ts'
import type { SourceView, WhyView } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { tell } from '../../frame/notices.tsx'
import type { Podcast } from '../../frame/podcasts.ts'
import { goTo } from '../../frame/router.ts'
import { ActionButton } from '../../parts/action.tsx'
import { Health, nameOf, Outside, Trouble } from '../../parts/small.tsx'
import { Sentence, When } from '../../parts/time.tsx'
import { tellPoll } from '../adding/add-source.ts'
import { removeSources } from '../sources/removal.ts'
import { intervalWords } from './interval-words.ts'
import { usePodcastOf } from './podcast-of.ts'
import { PollChart } from './poll-chart.tsx'
import { PollRecords } from './poll-records.tsx'
import { SettingsForm } from './settings-form.tsx'
import { SourcePosts } from './source-posts.tsx'
import { TestFetch } from './test-fetch.tsx'

interface Props {
  readonly podcast: Podcast
  readonly id: string
}

export function SourcePage({ podcast, id }: Props) {
  const { home, lookAgain } = usePodcastOf(podcast, id)
  const path = `${home.path}/sources/${encodeURIComponent(id)}`
  const when = (event: { sourceId?: string }) => event.sourceId === id
  const source = useAnswer<SourceView>(path, { when })
  const why = useAnswer<WhyView>(`${path}/why`, { when, everyMs: 30_000 })
  const name = source.data ? nameOf(source.data) : ''
  useEffect(() => {
    if (name) document.title = `${name} · Tidings`
  }, [name])
  const reload = async () => {
    await Promise.all([source.reload(), why.reload()])
  }
  const saved = async () => {
    // In another podcast it has another path, and everything is read there.
    if (!(await lookAgain())) await reload()
  }
  if (!source.data)
    return (
      <>
        <h1>{source.problem ? 'No such source' : ''}</h1>
        {source.problem ? <Trouble problem={source.problem} /> : <p class="loading">Loading</p>}
      </>
    )
  return (
    <>
      <p class="crumbs">
        <a href="/sources">All sources</a>
      </p>
      <div class="page-head">
        <h1 dir="auto">{name}</h1>
        <SourceActions {...{ podcast: home, source: source.data, path, reload }} />
      </div>
      <SourceFacts source={source.data} why={why.data} />
      <PollChart path={path} id={id} />
      <PollRecords path={path} id={id} />
      <SettingsForm key={source.data.id} source={source.data} path={path} onSaved={saved} />
      <SourcePosts podcast={home} source={source.data} />
      <TestFetch source={source.data} />
    </>
  )
}

function SourceFacts({ source, why }: { readonly source: SourceView; readonly why: WhyView | null }) {
  return (
    <section class="card why" aria-label="Why and when">
      <p class="sentence">
        <Health health={source.health} /> {why && <Sentence text={why.sentence} />}
      </p>
      <dl class="facts row">
        <dt>Address</dt>
        <dd>
          <Outside url={source.url} />
        </dd>
        <dt>Host</dt>
        <dd>
          <a href={`/lanes?host=${encodeURIComponent(source.lane ?? source.host ?? '')}`}>{source.host ?? 'none'}</a>
        </dd>
        <dt>Type</dt>
        <dd>{source.type}</dd>
        <dt>Last poll</dt>
        <dd>
          <When at={source.lastPolled} />
        </dd>
        <dt>Last success</dt>
        <dd>
          <When at={source.lastSucceededAt} />
        </dd>
        <dt>Next poll</dt>
        <dd>
          <When at={why?.expectedAt ?? source.nextPollAt} none="not planned" />
        </dd>
        <dt>Interval</dt>
        <dd>{intervalWords(source)}</dd>
        <dt>Language</dt>
        <dd>{source.language ?? 'not stated'}</dd>
        {source.quietSince && (
          <>
            <dt>Quiet since</dt>
            <dd>
              <When at={source.quietSince} />
            </dd>
          </>
        )}
        {source.siteUrl && (
          <>
            <dt>Site</dt>
            <dd>
              <Outside url={source.siteUrl} />
            </dd>
          </>
        )}
        <dt>Posts</dt>
        <dd>{source.postCount.toLocaleString('en')}</dd>
        <dt>Articles</dt>
        <dd>{source.articleCount.toLocaleString('en')}</dd>
      </dl>
    </section>
  )
}

interface ActionProps {
  readonly podcast: Podcast
  readonly source: SourceView
  readonly path: string
  reload(): Promise<void>
}

function SourceActions({ podcast, source, path, reload }: ActionProps) {
  const poll = async () => {
    tellPoll(await call('POST', `${path}/poll?wait=true`), 'Polled')
    await reload()
  }
  const toggle = async () => {
    await call('PATCH', path, { enabled: !source.enabled })
    tell('good', source.enabled ? 'Disabled. It is not polled until you enable it.' : 'Enabled. It is polled now.')
    await reload()
  }
  const remove = () => {
    removeSources(podcast.path, [source.id], nameOf(source))
    goTo('/sources')
  }
  return (
    <div class="actions">
      <ActionButton work={poll} class="primary">
        Poll now
      </ActionButton>
      <ActionButton work={toggle}>{source.enabled ? 'Disable' : 'Enable'}</ActionButton>
      <button type="button" class="danger" onClick={remove}>
        Remove
      </button>
    </div>
  )
}
