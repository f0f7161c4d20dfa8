// The dashboard: lists sources with their health and lets people act on them. It only talks to the REST API.
// Answers may arrive late: only the newest refresh shows its result.
/** @import { Podcast } from './podcasts.js' */
/** @import { HostView, SourceFilter, SourceView, StatusView } from './types.d.ts' */
import { ApiProblem, call } from './api.js'
import { byId, fieldOf, firstControl } from './element.js'
import { listenToForms } from './forms.js'
import { refreshWorked, show, showActionProblem, showRefreshProblem } from './notice.js'
import { offerPodcasts, readPodcasts } from './podcasts.js'
import { createRunAction } from './run-action.js'
import { askForPodcast, askForToken, isAsking, openDashboard } from './screens.js'
import { createSourceList, readSources } from './source-list.js'
import { showTotals } from './totals.js'
import { readUrlState, writeUrlState } from './url-state.js'
import { createWaitingHosts, hostFreeAtFor, readWaitingHosts } from './waiting-hosts.js'

const REFRESH_MS = 15_000
const STEP = 50
const filterForm = byId('filter', HTMLFormElement)
const [q, health] = [fieldOf(filterForm, 'q'), fieldOf(filterForm, 'health')]
const podcastSelect = byId('podcast', HTMLSelectElement)
const sourceList = byId('sources', HTMLUListElement)
const more = byId('more', HTMLButtonElement)
let owner = ''
/** @type {Podcast[]} */
let podcasts = []
/** The chosen podcast; '' before there is one. */
let podcastPath = ''
let wanted = STEP
let newestRefresh = 0
let underWay = 0

const run = createRunAction((work) => attempt(work, showActionProblem), refresh)
const podcastPaths = () => [podcastPath, ...podcasts.map(({ path }) => path).filter((path) => path !== podcastPath)]
const showWaitingHosts = createWaitingHosts(byId('trouble', HTMLElement), run, podcastPaths, sourceList)
const showSources = createSourceList(sourceList, run)

/**
 * Handles all problems: a missing token asks for one, any other problem is shown. True when there was none.
 * @param {() => Promise<void>} work
 * @param {(problem: Error) => void} tellProblem
 */
async function attempt(work, tellProblem) {
  try {
    await work()
    return true
  } catch (error) {
    const problem = error instanceof Error ? error : new Error(String(error))
    if (!(problem instanceof ApiProblem) || problem.status !== 401) tellProblem(problem)
    else {
      podcastPath = ''
      askForToken(problem)
    }
    return false
  }
}

/** @returns {SourceFilter} */
function chosenFilter() {
  return { ...(health.value ? { health: health.value } : {}), ...(q.value.trim() ? { q: q.value.trim() } : {}) }
}

async function refresh() {
  const mine = ++newestRefresh
  const filter = chosenFilter()
  writeUrlState({ podcastPath: podcasts.length > 1 ? podcastPath : null, ...filter })
  underWay += 1
  await attempt(
    async () => {
      const [status, hosts, list] = await Promise.all([
        /** @type {Promise<StatusView>} */ (call('GET', '/status')),
        readWaitingHosts(),
        readSources(podcastPath, filter, wanted),
      ])
      if (mine === newestRefresh) display(status, hosts, list, Object.keys(filter).length > 0)
    },
    (problem) => {
      if (mine === newestRefresh) showRefreshProblem(problem)
    },
  )
  underWay -= 1
}

/**
 * @param {StatusView} status
 * @param {readonly HostView[]} hosts
 * @param {{ items: SourceView[], isMore: boolean }} list
 * @param {boolean} isFiltered
 */
function display({ totals, outage }, hosts, { items, isMore }, isFiltered) {
  showTotals(byId('totals', HTMLElement), totals)
  showWaitingHosts(hosts, outage)
  showSources(podcastPath, items, {
    empty: isFiltered ? 'No source matches the search.' : 'Nothing here yet. Add an address above.',
    hostFreeAt: hostFreeAtFor(hosts),
  })
  more.hidden = !isMore
  refreshWorked()
}

async function start() {
  const read = await readPodcasts()
  owner = read.owner
  podcasts = read.podcasts
  show('')
  if (podcasts.length === 0) return askForPodcast()
  const before = podcastPath || readUrlState().podcastPath
  podcastPath = offerPodcasts(podcastSelect, podcasts, before)
  if (before && before !== podcastPath) {
    show('The podcast of this address is not among yours; this is another one.', 'plain')
  }
  openDashboard()
  await refresh()
}

async function begin() {
  underWay += 1
  await attempt(start, showRefreshProblem)
  underWay -= 1
}

function showFromTheTop() {
  wanted = STEP
  refresh()
}

podcastSelect.addEventListener('change', () => {
  podcastPath = podcastSelect.value
  showFromTheTop()
})
filterForm.addEventListener('submit', (event) => event.preventDefault())
filterForm.addEventListener('input', showFromTheTop)
more.addEventListener('click', async () => {
  const shown = sourceList.children.length
  await run(() => {
    wanted += STEP
  }, more)
  // The button may be hidden now, so the focus goes to the first new row.
  if (more.hidden) firstControl(sourceList.children[shown])?.focus()
})
listenToForms({ run, begin, owner: () => owner, podcastPath: () => podcastPath })

q.value = readUrlState().q
health.value = readUrlState().health
begin()
setInterval(() => {
  if (document.hidden || underWay > 0 || isAsking()) return
  if (podcastPath) refresh()
  else begin()
}, REFRESH_MS)
