// Which screen is shown: the dashboard, or a form that has to be filled in first.
import { hasToken } from './api.js'
import { byId, fieldOf } from './element.js'
import { show } from './notice.js'

const signIn = byId('sign-in', HTMLFormElement)
const firstPodcast = byId('first-podcast', HTMLFormElement)
const dashboard = byId('main', HTMLElement)
const SCREENS = [signIn, firstPodcast, dashboard]

/** @param {HTMLElement} shown */
function open(shown) {
  for (const screen of SCREENS) screen.hidden = screen !== shown
  byId('sign-out', HTMLButtonElement).hidden = shown === signIn || !hasToken()
}

/** Whether the page waits for a person, so that a refresh is of no use. */
export function isAsking() {
  return !signIn.hidden || !firstPodcast.hidden
}

export function openDashboard() {
  open(dashboard)
}

/** @param {Error} problem */
export function askForToken({ message }) {
  open(signIn)
  // It is not an error that nobody has signed in yet.
  if (hasToken()) show(message)
  else show('This Tidings asks for a token. "tidings token create" makes one.', 'plain')
  fieldOf(signIn, 'token').focus()
}

export function askForPodcast() {
  open(firstPodcast)
  fieldOf(firstPodcast, 'name').focus()
}
