// The line that tells people what happened. The result of an action stays until the next action. A failed refresh is
// shown only until one succeeds.
import { byId } from './element.js'

const notice = byId('notice', HTMLElement)
let isAboutRefresh = false

/** @param {string} message @param {'error' | 'good' | 'plain'} [kind] */
export function show(message, kind = 'error') {
  isAboutRefresh = false
  notice.textContent = message
  notice.className = kind
  notice.hidden = !message
}

/** @param {Error & { passing?: boolean }} problem */
export function showRefreshProblem({ message, passing }) {
  show(passing ? `${message} This page tries again by itself.` : message)
  isAboutRefresh = true
}

/** @param {Error & { passing?: boolean }} problem */
export function showActionProblem({ message, passing }) {
  show(passing ? `${message} Then try again.` : message)
}

export function refreshWorked() {
  if (isAboutRefresh) show('')
}
