// The dashboard: lists sources with their health and lets people act on them. Talks to the REST API only.
// Whatever is asked for may be answered late: only the newest refresh shows what it got.
import { createAct } from './act.js'
import { call } from './api.js'
import { listenToForms } from './forms.js'
import { lookedAt, rememberLookedAt } from './looked-at.js'
import { refreshWorked, show, showActionProblem, showRefreshProblem } from './notice.js'
import { offerPodcasts, readPodcasts } from './podcasts.js'
import { askForPodcast, askForToken, isAsking, open } from './screens.js'
import { createSourceList, readSources } from './source-list.js'
import { showTotals } from './totals.js'
import { createTrouble, readWaiting, waitingFor } from './trouble.js'

const REFRESH_MS = 15_000
const STEP = 50
const $ = (id) => document.getElementById(id)
const { q, health } = $('filter').elements
let owner = ''
let podcasts = []
/** The chosen podcast; '' before there is one. */
let home = ''
let wanted = STEP
let asked = 0
let underWay = 0

const act = createAct((work) => attempt(work, showActionProblem), refresh)
const homes = () => [home, ...podcasts.map((podcast) => podcast.home).filter((other) => other !== home)]
const showTrouble = createTrouble($('trouble'), act, homes, $('sources'))
const showSources = createSourceList($('sources'), act)

/** One place for what goes wrong: a missing token asks for one, anything else is told. */
async function attempt(work, tellProblem) {
  try {
    await work()
    return true
  } catch (error) {
    if (error.status !== 401) tellProblem(error)
    else {
      home = ''
      askForToken(error)
    }
    return false
  }
}

async function refresh() {
  const mine = ++asked
  const filter = { ...(health.value ? { health: health.value } : {}), ...(q.value.trim() ? { q: q.value.trim() } : {}) }
  rememberLookedAt({ home: podcasts.length > 1 ? home : null, ...filter })
  underWay += 1
  await attempt(
    async () => {
      const reading = [call('GET', '/status'), readWaiting(), readSources(home, filter, wanted)]
      const [status, hosts, list] = await Promise.all(reading)
      if (mine === asked) display(status, hosts, list, Object.keys(filter).length > 0)
    },
    (error) => mine === asked && showRefreshProblem(error),
  )
  underWay -= 1
}

function display({ totals, outage }, hosts, { items, isMore }, isFiltered) {
  showTotals($('totals'), totals)
  showTrouble(hosts, outage)
  showSources(home, items, {
    empty: isFiltered ? 'Nothing like that.' : 'Nothing here yet. Add an address above.',
    waitingFor: waitingFor(hosts, home),
  })
  $('more').hidden = !isMore
  refreshWorked()
}

async function start() {
  const read = await readPodcasts()
  owner = read.owner
  podcasts = read.podcasts
  show('')
  if (podcasts.length === 0) return askForPodcast()
  const before = home || lookedAt().home
  home = offerPodcasts($('podcast'), podcasts, before)
  if (before && before !== home) show('The podcast of this address is not among yours; this is another one.', 'plain')
  open('main')
  await refresh()
}

async function begin() {
  underWay += 1
  await attempt(start, showRefreshProblem)
  underWay -= 1
}

function lookAnew() {
  wanted = STEP
  refresh()
}

$('podcast').addEventListener('change', (event) => {
  home = event.target.value
  lookAnew()
})
$('filter').addEventListener('submit', (event) => event.preventDefault())
$('filter').addEventListener('input', lookAnew)
$('more').addEventListener('click', async () => {
  const shown = $('sources').children.length
  await act(() => {
    wanted += STEP
  }, $('more'))
  // The button may be gone now: on with the first that is new.
  if ($('more').hidden) $('sources').children[shown]?.querySelector('a[href], button').focus()
})
listenToForms({ act, begin, owner: () => owner, home: () => home })

q.value = lookedAt().q
health.value = lookedAt().health
begin()
setInterval(() => {
  if (document.hidden || underWay > 0 || isAsking()) return
  if (home) refresh()
  else begin()
}, REFRESH_MS)
