// One source in the list: its state, and buttons for what can be done. Made once, then updated in place.
/** @import { Row, RunAction, SourceView } from './types.d.ts' */
import { call } from './api.js'
import { element, setLink, shortened } from './element.js'
import { pollNow } from './poll-now.js'
import { factsOf, problemOf } from './source-facts.js'
import { whyPanel } from './why.js'

/** @typedef {{ source: SourceView, path: string, hostFreeAt: string | null }} SourceRow */
/** @typedef {ReturnType<typeof makeParts>} Parts */

/** @param {SourceRow} first @param {RunAction} run @returns {Row<SourceRow>} */
export function sourceItem({ source: first, path }, run) {
  let source = first
  const why = whyPanel(path)
  const parts = makeParts(run, {
    poll: () => pollNow(path),
    toggle: () => call('PATCH', path, { enabled: !source.enabled }),
    remove: () => confirm(`Remove ${shortened(source.url)} with its posts?`) && call('DELETE', path),
  })
  parts.why.addEventListener('click', () => {
    parts.why.setAttribute('aria-expanded', String(why.toggle(source.url)))
  })
  const node = arranged(parts, why.panel)
  return {
    node,
    update({ source: now, hostFreeAt }) {
      if (stateOf(source) !== stateOf(now)) why.refresh(now.url)
      source = now
      describe(node, parts, source, hostFreeAt)
    },
  }
}

/** @param {RunAction} run @param {Record<'poll' | 'toggle' | 'remove', () => unknown>} actions */
function makeParts(run, actions) {
  /** @param {() => unknown} work */
  const button = (work, properties = {}) => {
    const made = element('button', properties)
    made.addEventListener('click', () => run(work, made))
    return made
  }
  return {
    dot: element('span', { class: 'dot' }),
    name: element('a', { rel: 'noreferrer noopener', target: '_blank' }),
    type: element('span', { class: 'badge' }),
    health: element('span'),
    facts: element('div', { class: 'facts' }),
    problem: element('div', { class: 'problem' }),
    poll: button(actions.poll),
    toggle: button(actions.toggle),
    why: element('button', { 'aria-expanded': 'false' }),
    remove: button(actions.remove, { class: 'danger' }),
  }
}

/** @param {Parts} parts @param {HTMLElement} panel */
function arranged({ dot, name, type, health, facts, problem, poll, toggle, why, remove }, panel) {
  const what = element('div', { class: 'what' }, dot, element('strong', { dir: 'auto' }, name), type, health)
  return element('li', {}, what, facts, problem, element('div', { class: 'actions' }, poll, toggle, why, remove), panel)
}

/** @param {HTMLElement} node @param {Parts} parts @param {SourceView} source @param {string | null} hostFreeAt */
function describe(node, parts, source, hostFreeAt) {
  const { health } = source
  const name = source.label ?? shortened(source.url)
  node.className = health
  parts.dot.title = health
  setLink(parts.name, source.url, name)
  parts.type.textContent = source.type
  parts.health.textContent = health
  parts.health.className = `badge ${health}`
  parts.facts.replaceChildren(...factsOf(source, hostFreeAt))
  parts.problem.textContent = problemOf(source)
  setCaption(parts.poll, 'Poll now', name)
  setCaption(parts.toggle, source.enabled ? 'Disable' : 'Enable', name)
  setCaption(parts.why, 'Why?', name)
  setCaption(parts.remove, 'Remove', name)
}

/** A screen reader says which source a button belongs to. @param {HTMLElement} button @param {string} text @param {string} name */
function setCaption(button, text, name) {
  button.textContent = text
  button.setAttribute('aria-label', `${text} (${name})`)
}

/** What an explanation depends on. @param {SourceView} source */
function stateOf({ enabled, lastPolled, nextPollAt, url }) {
  return JSON.stringify([enabled, lastPolled, nextPollAt, url])
}
