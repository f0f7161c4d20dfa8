// What is left alone for now, and why: an outage of our own, hosts that asked to wait, hosts with an open breaker.
import { call } from './api.js'
import { element, time } from './element.js'

const MOST = 20

/** Fills `place`, and hides it when all is well. */
export async function showTrouble(place, outage, act) {
  const { items, nextCursor } = await call('GET', `/hosts?waiting=true&limit=${MOST}`)
  const lines = items.map((host) => hostLine(host, act))
  if (outage) lines.unshift(element('li', {}, 'Our own connection seems to be down: scheduled polling pauses.'))
  if (nextCursor !== null) lines.push(element('li', {}, 'and more'))
  place.hidden = lines.length === 0
  place.replaceChildren(element('h2', {}, 'Left alone for now'), element('ul', {}, ...lines))
}

function hostLine({ host, sources, breaker, notBefore, notBeforeReason }, act) {
  const many = `${sources} ${sources === 1 ? 'source' : 'sources'}`
  if (breaker.state === 'closed') {
    return element(
      'li',
      {},
      element('b', {}, host),
      ` (${many}): ${notBeforeReason}, asked again `,
      time(notBefore, 'soon'),
    )
  }
  const reset = () => call('POST', `/hosts/${encodeURIComponent(host)}/reset`)
  return element(
    'li',
    {},
    ...[element('b', {}, host), ` (${many}): ${breaker.failures} failures in a row, `],
    ...['asked again ', time(breaker.probeAt, 'soon'), ' '],
    element('button', { onclick: (event) => act(reset, event.currentTarget) }, 'Ask again now'),
  )
}
