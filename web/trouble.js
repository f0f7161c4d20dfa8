// What is left alone for now, and why: an outage of our own, hosts that asked to wait, hosts with an open breaker.
import { call } from './api.js'
import { element, time } from './element.js'
import { keepRows } from './keep-rows.js'
import { pollNow } from './poll-now.js'

const MOST = 20

/** All of them: rows of sources look theirs up. */
export async function readWaiting() {
  return (await call('GET', '/hosts?waiting=true&limit=500')).items
}

/** For a source of that podcast, until when its host is left alone; null where it is not. */
export function waitingFor(hosts, home) {
  const until = new Map(hosts.map((host) => [host.host, waitsUntil(host)]))
  const owner = decodeURIComponent(home.split('/')[2])
  return ({ type, host }) => until.get(type === 'twitter' ? `x:${owner}` : host) ?? null
}

/** Its breaker waits for the host's own word too. */
function waitsUntil({ breaker, notBefore }) {
  const [probe, free] = [breaker.probeAt, notBefore].map((at) => (at === null ? 0 : Date.parse(at)))
  return breaker.state === 'closed' ? free : Math.max(probe, free)
}

/** Fills `place`, and hides it when all is well. `homes()`: where sources may be, the likeliest first. */
export function createTrouble(place, act, homes, otherwise) {
  const list = element('ul')
  place.replaceChildren(element('h2', {}, 'Left alone for now'), list)
  const keep = keepRows(list, (item) => (item.host ? hostItem(act, homes) : textItem()), otherwise)
  return (hosts, outage) => {
    const rows = hosts.slice(0, MOST).map((host) => [host.host, host])
    const others = hosts.length - rows.length
    if (outage) rows.unshift([' ', { text: 'Our own connection seems to be down: scheduled polling pauses.' }])
    if (others > 0) rows.push(['', { text: `and ${others} more` }])
    place.hidden = rows.length === 0
    keep(rows)
  }
}

function textItem() {
  const node = element('li')
  return {
    node,
    update({ text }) {
      node.textContent = text
    },
  }
}

function hostItem(act, homes) {
  let host
  const words = element('span')
  const onclick = ({ currentTarget }) => act(() => askAgain(host, homes()), currentTarget)
  const button = element('button', { onclick }, 'Ask again now')
  return {
    node: element('li', {}, words, ' ', button),
    update(now) {
      host = now.host
      words.replaceChildren(...wordsOf(now))
      button.hidden = now.breaker.state === 'closed'
      button.setAttribute('aria-label', `Ask again now (${host})`)
    },
  }
}

function wordsOf(host) {
  const { sources, breaker, notBeforeReason } = host
  const until = waitsUntil(host)
  const why = breaker.state === 'closed' ? notBeforeReason : `${breaker.failures} failures in a row`
  const many = ` (${sources} ${sources === 1 ? 'source' : 'sources'}): ${why}, asked again `
  const at = until > Date.now() ? new Date(until).toISOString() : null
  return [element('b', {}, element('bdi', {}, host.host)), many, time(at, 'soon')]
}

/**
 * One source of the host is polled, through its lane. With the breaker open that is its probe: going well, it closes
 * the breaker and gives all sources of the host a clean slate; a reset would do neither, and needs admin rights.
 */
async function askAgain(host, homes) {
  for (const home of homes) {
    const { items } = await call('GET', `${home}/sources?${new URLSearchParams({ host })}`)
    // They take turns.
    const [source] = items.filter(({ enabled }) => enabled).sort((a, b) => lastPolled(a) - lastPolled(b))
    if (!source) continue
    const answer = await pollNow(`${home}/sources/${encodeURIComponent(source.id)}`)
    return { ...answer, what: `Asked ${host} again` }
  }
  throw new Error(`No source on ${host} is enabled, so there is nothing to ask for. Enable one first.`)
}

function lastPolled(source) {
  return source.lastPolled === null ? 0 : Date.parse(source.lastPolled)
}
