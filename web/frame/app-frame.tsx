// Which page is shown, and what has to be done before one can be: signing in, or making a first podcast.
import { useEffect } from 'preact/hooks'
import { startLive } from '../api/live.ts'
import { onChangeInOtherTab } from '../api/other-tabs.ts'
import { asProblem } from '../api/use-answer.ts'
import { ArticlesPage } from '../pages/articles/articles-page.tsx'
import { LanesPage } from '../pages/lanes/lanes-page.tsx'
import { OverviewPage } from '../pages/overview/overview-page.tsx'
import { PostPage } from '../pages/posts/post-page.tsx'
import { PostsPage } from '../pages/posts/posts-page.tsx'
import { SettingsPage } from '../pages/settings/settings-page.tsx'
import { SourcePage } from '../pages/source/source-page.tsx'
import { SourcesPage } from '../pages/sources/sources-page.tsx'
import { useValue } from '../parts/state.ts'
import { reportProblem, reportReached, signInNeeded } from './connection.ts'
import { FirstPodcast } from './first-podcast.tsx'
import { chosenPodcast, type Podcast, podcasts, readPodcasts } from './podcasts.ts'
import { usePlaceOnPage } from './router.ts'
import { SignIn } from './sign-in.tsx'

const RETRY_MS = 10_000

export function App() {
  const asksToken = useValue(signInNeeded)
  const known = useValue(podcasts)
  const chosen = useValue(chosenPodcast)
  useEffect(() => openSession(), [])
  useEffect(() => onChangeInOtherTab(() => void readPodcasts().catch(reportFailure)), [])
  if (asksToken) return <SignIn {...asksToken} onSignedIn={openSession} />
  if (known !== null && chosen === null) return <FirstPodcast />
  return <Page podcast={chosen} />
}

function reportFailure(error: unknown): void {
  reportProblem(asProblem(error))
}

/** Tries until it works or a person is needed. */
function openSession(): () => void {
  let timer = 0
  const attempt = async () => {
    try {
      await readPodcasts()
      reportReached()
      signInNeeded.set(null)
      startLive()
    } catch (error) {
      const problem = asProblem(error)
      reportProblem(problem)
      if (problem.status !== 401) timer = setTimeout(attempt, RETRY_MS)
    }
  }
  void attempt()
  return () => clearTimeout(timer)
}

const HEADINGS: Readonly<Record<string, string>> = {
  '/': 'Overview',
  '/lanes': 'Lanes',
  '/sources': 'Sources',
  '/posts': 'Posts',
  '/articles': 'Articles',
  '/settings': 'Settings',
}

function Page({ podcast }: { readonly podcast: Podcast | null }) {
  const { path } = usePlaceOnPage()
  const heading = HEADINGS[path]
  useEffect(() => {
    if (heading) document.title = `${heading} · Tidings`
  }, [heading])
  const [, kind, id] = path.split('/')
  if (podcast === null)
    return (
      <>
        <h1>{heading ?? ''}</h1>
        <p class="loading">Loading</p>
      </>
    )
  const key = podcast.path
  if (kind === 'sources' && id) return <SourcePage key={key + id} podcast={podcast} id={decodeURIComponent(id)} />
  if (kind === 'posts' && id) return <PostPage key={key + id} podcast={podcast} id={decodeURIComponent(id)} />
  switch (path) {
    case '/':
      return <OverviewPage key={key} podcast={podcast} />
    case '/lanes':
      return <LanesPage key={key} podcast={podcast} />
    case '/sources':
      return <SourcesPage key={key} podcast={podcast} />
    case '/posts':
      return <PostsPage key={key} podcast={podcast} />
    case '/articles':
      return <ArticlesPage key={key} podcast={podcast} />
    case '/settings':
      return <SettingsPage key={key} podcast={podcast} />
    default:
      return <h1>There is no such page</h1>
  }
}
