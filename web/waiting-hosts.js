// What is not polled right now, and why: an outage of our own, hosts that asked to wait, hosts with an open breaker.
/** @import { HostView, Page, PollAnswer, Row, RunAction, SourceView, StatusView } from './types.d.ts' */
import { call } from './api.js'
import { element } from './element.js'
import { keepRows } from './keep-rows.js'
import { pollNow } from './poll-now.js'
import { soonOrTime } from './source-facts.js'

const MAX_ROWS = 20

/** All of them, because the rows of sources look up their hosts. */
export async function readWaitingHosts() {
  /** @type {Page<HostView>} */
  const { items } = await call('GET', '/hosts?waiting=true&limit=500')
  return items
}

/**
 * For a source: when its host may be asked again, or null when it may be asked now.
 * @param {readonly HostView[]} hosts
 * @returns {(source: SourceView) => string | null}
 */
export function hostFreeAtFor(hosts) {
  const freeAt = new Map(hosts.map((host) => [host.host, host.nextSlotAt]))
  return ({ lane }) => freeAt.get(lane ?? '') ?? null
}

/** @typedef {HostView | { text: string }} WaitingRow */

/**
 * Fills `place`, and hides it when nothing waits. `podcastPaths()`: where to look for sources, the likeliest first.
 * @param {HTMLElement} place
 * @param {RunAction} run
 * @param {() => string[]} podcastPaths
 * @param {HTMLElement} fallback
 */
export function createWaitingHosts(place, run, podcastPaths, fallback) {
  const list = element('ul')
  place.replaceChildren(element('h2', {}, 'Waiting for now'), list)
  /** @param {WaitingRow} item */
  const make = (item) => ('text' in item ? textItem() : hostItem(item, run, podcastPaths))
  const keep = keepRows(list, make, fallback)
  /** @param {readonly HostView[]} hosts @param {StatusView['outage']} outage */
  return (hosts, outage) => {
    /** @type {[string, WaitingRow][]} */
    const rows = hosts.slice(0, MAX_ROWS).map((host) => [host.host, host])
    const others = hosts.length - rows.length
    if (outage) rows.unshift([' ', { text: 'Our own connection seems to be down: scheduled polling pauses.' }])
    if (others > 0) rows.push(['', { text: `and ${others} more` }])
    place.hidden = rows.length === 0
    keep(rows)
  }
}

/** @returns {Row<WaitingRow>} */
function textItem() {
  const node = element('li')
  return {
    node,
    update(item) {
      node.textContent = 'text' in item ? item.text : ''
    },
  }
}

/** @param {HostView} first @param {RunAction} run @param {() => string[]} podcastPaths @returns {Row<WaitingRow>} */
function hostItem({ host }, run, podcastPaths) {
  const words = element('span')
  const button = element('button', { 'aria-label': `Ask again now (${host})` }, 'Ask again now')
  button.addEventListener('click', () => run(() => askAgain(host, podcastPaths()), button))
  return {
    node: element('li', {}, words, ' ', button),
    update(item) {
      if ('text' in item) return
      words.replaceChildren(...wordsOf(item))
      button.hidden = item.breaker.state === 'closed'
    },
  }
}

/** @param {HostView} host */
function wordsOf({ host, sources, breaker, notBeforeReason, nextSlotAt }) {
  const why = breaker.state === 'closed' ? notBeforeReason : `${breaker.failures} failures in a row`
  const many = ` (${sources} ${sources === 1 ? 'source' : 'sources'}): ${why}, asked again `
  return [element('b', {}, element('bdi', {}, host)), many, soonOrTime(nextSlotAt)]
}

/**
 * Polls one source of the host. With an open breaker that poll is the probe: if it succeeds, the breaker closes and the
 * failures of all sources of the host are cleared. A reset would do neither, and needs admin rights.
 * @param {string} host
 * @param {readonly string[]} podcastPaths
 * @returns {Promise<PollAnswer>}
 */
async function askAgain(host, podcastPaths) {
  for (const podcastPath of podcastPaths) {
    /** @type {Page<SourceView>} */
    const { items } = await call('GET', `${podcastPath}/sources?${new URLSearchParams({ host })}`)
    // The source that was polled longest ago.
    const [source] = items.filter(({ enabled }) => enabled).sort((a, b) => lastPolled(a) - lastPolled(b))
    if (!source) continue
    const answer = await pollNow(`${podcastPath}/sources/${encodeURIComponent(source.id)}`)
    return { ...answer, what: `Asked ${host} again` }
  }
  throw new Error(`No source on ${host} is enabled, so there is nothing to ask for. Enable one first.`)
}

/** @param {SourceView} source */
function lastPolled(source) {
  return source.lastPolled === null ? 0 : Date.parse(source.lastPolled)
}
