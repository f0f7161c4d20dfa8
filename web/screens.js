// What is to be seen: the dashboard itself, or what has to be done before there can be one.
import { hasToken } from './api.js'
import { show } from './notice.js'

const SCREENS = ['sign-in', 'first-podcast', 'main'].map((id) => document.getElementById(id))

export function open(id) {
  for (const screen of SCREENS) screen.hidden = screen.id !== id
  document.getElementById('sign-out').hidden = id === 'sign-in' || !hasToken()
}

/** Whether the page waits for a person, so that trying again is of no use. */
export function isAsking() {
  return SCREENS.some(({ id, hidden }) => id !== 'main' && !hidden)
}

export function askForToken({ message }) {
  open('sign-in')
  // Not having signed in yet is no error.
  if (hasToken()) show(message)
  else show('This Tidings asks for a token. "tidings token create" makes one.', 'plain')
  document.getElementById('sign-in').elements.token.focus()
}

export function askForPodcast() {
  open('first-podcast')
  document.getElementById('first-podcast').elements.name.focus()
}
