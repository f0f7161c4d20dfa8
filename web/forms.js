// What people fill in: a token, the name of a first podcast, the address of a source.
import { call, forgetToken, keepToken } from './api.js'
import { pollNow } from './poll-now.js'

const $ = (id) => document.getElementById(id)

function onSubmit(id, work) {
  $(id).addEventListener('submit', (event) => {
    event.preventDefault()
    work(event.target, event.target.elements, event.target.querySelector('button'))
  })
}

/** `begin` starts over with what was given; `owner()` and `home()` say where things are made. */
export function listenToForms({ act, begin, owner, home }) {
  onSubmit('sign-in', (_form, { token }) => {
    keepToken(token.value.trim())
    begin()
  })
  $('sign-out').addEventListener('click', () => {
    forgetToken()
    location.replace(location.pathname)
  })
  onSubmit('first-podcast', (_form, { name }, button) => {
    const path = `/users/${encodeURIComponent(owner())}/podcasts`
    const after = async () => {
      await begin()
      $('add').elements.url.focus()
    }
    act(() => call('POST', path, { name: name.value }), button, after)
  })
  onSubmit('add', (form, _fields, button) => act(() => addSource(form, home()), button))
}

async function addSource(form, home) {
  const { url, label, type } = form.elements
  const { id } = await call('POST', `${home}/sources`, {
    url: url.value,
    ...(label.value ? { label: label.value } : {}),
    ...(type.value ? { type: type.value } : {}),
  })
  form.reset()
  // What was just tested is at hand: the first poll is there at once.
  return pollNow(`${home}/sources/${encodeURIComponent(id)}`, 'create')
}
