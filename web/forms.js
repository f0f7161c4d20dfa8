// The forms: a token, the name of a first podcast, the address of a source.
/** @import { PollAnswer, RunAction, SourceView } from './types.d.ts' */
import { call, forgetToken, keepToken } from './api.js'
import { byId, fieldOf } from './element.js'
import { pollNow } from './poll-now.js'

/**
 * @param {string} id
 * @param {(form: HTMLFormElement, button: HTMLButtonElement) => unknown} work
 */
function onSubmit(id, work) {
  const form = byId(id, HTMLFormElement)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const button = form.querySelector('button')
    if (button) work(form, button)
  })
}

/**
 * `begin` loads everything again; `owner()` is the user who gets a new podcast, `podcastPath()` where sources are added.
 * @param {{ run: RunAction, begin: () => Promise<void>, owner: () => string, podcastPath: () => string }} parts
 */
export function listenToForms({ run, begin, owner, podcastPath }) {
  onSubmit('sign-in', (form) => {
    keepToken(fieldOf(form, 'token').value.trim())
    begin()
  })
  byId('sign-out', HTMLButtonElement).addEventListener('click', () => {
    forgetToken()
    location.replace(location.pathname)
  })
  onSubmit('first-podcast', (form, button) => {
    const path = `/users/${encodeURIComponent(owner())}/podcasts`
    const afterwards = async () => {
      await begin()
      fieldOf(byId('add', HTMLFormElement), 'url').focus()
    }
    run(() => call('POST', path, { name: fieldOf(form, 'name').value }), button, afterwards)
  })
  onSubmit('add', (form, button) => run(() => addSource(form, podcastPath()), button))
}

/** @param {HTMLFormElement} form @param {string} podcastPath @returns {Promise<PollAnswer>} */
async function addSource(form, podcastPath) {
  const [url, label, type] = ['url', 'label', 'type'].map((name) => fieldOf(form, name).value)
  /** @type {SourceView} */
  const { id } = await call('POST', `${podcastPath}/sources`, {
    url,
    ...(label ? { label } : {}),
    ...(type ? { type } : {}),
  })
  form.reset()
  // The server still has the answer of its test fetch, so the first poll is done at once.
  return pollNow(`${podcastPath}/sources/${encodeURIComponent(id)}`, 'create')
}
