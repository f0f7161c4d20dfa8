// The one line that tells people what happened. What came of an action stays until the next one; that a refresh did
// not work is told only until one does.
const notice = document.getElementById('notice')
let isAboutRefresh = false

export function show(message, kind = 'error') {
  isAboutRefresh = false
  notice.textContent = message
  notice.className = kind
  notice.hidden = !message
}

export function showRefreshProblem({ message, passing }) {
  show(passing ? `${message} This page tries again by itself.` : message)
  isAboutRefresh = true
}

export function showActionProblem({ message, passing }) {
  show(passing ? `${message} Then try again.` : message)
}

export function refreshWorked() {
  if (isAboutRefresh) show('')
}
