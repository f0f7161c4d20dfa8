// One source in the list: how it is, and what can be done about it. Made once, then kept up to date in place.
import { call } from './api.js'
import { element, setLink, shortened } from './element.js'
import { pollNow } from './poll-now.js'
import { factsOf, problemOf } from './source-facts.js'
import { whyPanel } from './why.js'

/** `act(work, button)` runs something, shows what goes wrong, and refreshes. */
export function sourceItem(path, act) {
  let source
  const why = whyPanel(path)
  const onWhy = ({ currentTarget }) => currentTarget.setAttribute('aria-expanded', String(why.toggle(source.url)))
  const button = (work, properties = {}) =>
    element('button', { ...properties, onclick: ({ currentTarget }) => act(work, currentTarget) })
  const remove = () => confirm(`Remove ${shortened(source.url)} with its posts?`) && call('DELETE', path)
  const parts = {
    ...describing(),
    poll: button(() => pollNow(path)),
    toggle: button(() => call('PATCH', path, { enabled: !source.enabled })),
    why: element('button', { 'aria-expanded': 'false', onclick: onWhy }),
    remove: button(remove, { class: 'danger' }),
  }
  const node = arranged(parts, why.panel)
  return {
    node,
    update({ source: now, hostUntil }) {
      if (source && stateOf(source) !== stateOf(now)) why.refresh(now.url)
      source = now
      describe(node, parts, source, hostUntil)
    },
  }
}

function describing() {
  return {
    dot: element('span', { class: 'dot' }),
    name: element('a', { rel: 'noreferrer noopener', target: '_blank' }),
    type: element('span', { class: 'badge' }),
    health: element('span'),
    facts: element('div', { class: 'facts' }),
    problem: element('div', { class: 'problem' }),
  }
}

function arranged({ dot, name, type, health, facts, problem, poll, toggle, why, remove }, panel) {
  const what = element('div', { class: 'what' }, dot, element('strong', { dir: 'auto' }, name), type, health)
  return element('li', {}, what, facts, problem, element('div', { class: 'actions' }, poll, toggle, why, remove), panel)
}

function describe(node, parts, source, hostUntil) {
  const { health } = source
  const name = source.label ?? shortened(source.url)
  node.className = health
  parts.dot.title = health
  setLink(parts.name, source.url, name)
  parts.type.textContent = source.type
  parts.health.textContent = health
  parts.health.className = `badge ${health}`
  parts.facts.replaceChildren(...factsOf(source, hostUntil))
  parts.problem.textContent = problemOf(source)
  const words = { poll: 'Poll now', toggle: source.enabled ? 'Disable' : 'Enable', why: 'Why?', remove: 'Remove' }
  for (const [part, text] of Object.entries(words)) {
    parts[part].textContent = text
    // Heard one by one, "Remove" says too little.
    parts[part].setAttribute('aria-label', `${text} (${name})`)
  }
}

/** What an explanation depends on. */
function stateOf({ enabled, lastPolled, nextPollAt, url }) {
  return JSON.stringify([enabled, lastPolled, nextPollAt, url])
}
