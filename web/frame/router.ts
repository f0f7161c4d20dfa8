// The address of the page: which page it shows, and what is chosen on it. Links within the dashboard change the page
// without loading it anew.
import { createState, useValue } from '../parts/state.ts'

interface Place {
  readonly path: string
  readonly query: URLSearchParams
}

const place = createState<Place>(readPlace())

function readPlace(): Place {
  return { path: location.pathname, query: new URLSearchParams(location.search) }
}

export function usePlaceOnPage(): Place {
  return useValue(place)
}

export function goTo(address: string): void {
  // The Back button returns to where the page was scrolled.
  history.replaceState({ scrolled: scrollY }, '')
  history.pushState(null, '', address)
  place.set(readPlace())
  scrollTo(0, 0)
}

/** Changes parameters of the address; an empty value removes one. The Back button leaves the page, not the filter. */
export function setQuery(changes: Readonly<Record<string, string | null>>): void {
  const query = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  history.replaceState(history.state, '', text === '' ? location.pathname : `${location.pathname}?${text}`)
  place.set(readPlace())
}

const OWN_PATH = /^\/($|lanes$|sources(\/|$)|posts(\/|$)|articles$|settings$)/

export function startRouter(): void {
  history.scrollRestoration = 'manual'
  addEventListener('popstate', ({ state }) => {
    place.set(readPlace())
    scrollWhenDrawn(state?.scrolled ?? 0)
  })
  // A page that is loaded anew comes back to its place as well.
  addEventListener('pagehide', () => history.replaceState({ scrolled: scrollY }, ''))
  scrollWhenDrawn(history.state?.scrolled ?? 0)
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || link.target || event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    if (link.origin !== location.origin || !OWN_PATH.test(link.pathname) || link.hash !== '') return
    event.preventDefault()
    goTo(link.pathname + link.search)
    // The focus goes where the new page begins, as it does when a page is loaded.
    document.getElementById('page')?.focus({ preventScroll: true })
  })
  // A file that misses its place must not replace the dashboard.
  for (const type of ['dragover', 'drop'] as const)
    addEventListener(type, (event) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    })
  place.subscribe(markCurrent)
  markCurrent()
}

const DRAWN_WITHIN_MS = 3000

/** A list is as long as its rows, and those may have to be asked for first. Whoever scrolls meanwhile is left alone. */
function scrollWhenDrawn(top: number, until = performance.now() + DRAWN_WITHIN_MS): void {
  if (top === 0) {
    scrollTo(0, 0)
    return
  }
  const started = new AbortController()
  for (const type of ['wheel', 'touchstart', 'keydown', 'click'])
    addEventListener(type, () => started.abort(), { signal: started.signal, passive: true })
  const attempt = () => {
    if (started.signal.aborted) return
    scrollTo(0, top)
    if (Math.abs(scrollY - top) < 2 || performance.now() > until) started.abort()
    else requestAnimationFrame(attempt)
  }
  requestAnimationFrame(attempt)
}

/** The navigation is plain HTML, which shows before this script has arrived. */
function markCurrent(): void {
  const { path } = place.get()
  for (const link of document.querySelectorAll<HTMLAnchorElement>('nav[aria-label=Main] a')) {
    const own = link.pathname
    const isCurrent = own === '/' ? path === '/' : path === own || path.startsWith(`${own}/`)
    if (isCurrent) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
}
