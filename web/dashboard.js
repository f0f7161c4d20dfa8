// The dashboard: lists sources with their health and lets people act on them. Talks to the REST API only.
import { call, forgetToken, hasToken, keepToken } from './api.js'
import { element } from './element.js'
import { sourceItem } from './source-item.js'
import { showTrouble } from './trouble.js'

const REFRESH_MS = 15_000
const $ = (id) => document.getElementById(id)
const main = $('main')
const notice = $('notice')
let home = ''
let pages = 1

function show(message, kind = 'error') {
  notice.textContent = message
  notice.className = kind
  notice.hidden = !message
}

/** One place for what goes wrong: a missing token asks for one, anything else is told. */
async function guarded(work) {
  try {
    await work()
    return true
  } catch (error) {
    if (error.status === 401) {
      main.hidden = true
      $('sign-in').hidden = false
      $('sign-out').hidden = true
      // Not having signed in yet is no error.
      if (!hasToken()) return show('This Tidings asks for a token. "tidings token create" makes one.', 'plain')
    }
    show(error.message)
    return false
  }
}

async function act(work, button) {
  button.disabled = true
  show('')
  if (await guarded(async () => tell(await work()))) await guarded(refresh)
  button.disabled = false
}

function tell(answer) {
  if (answer?.outcome === 'success') show(`Polled: ${answer.created} new of ${answer.found}.`, 'good')
  else if (answer?.outcome) show(`Polled, ${answer.outcome} failure: ${answer.reason}`)
  else if (answer?.queuedAt) show(`Queued: ${answer.reason}.`, 'plain')
}

async function refresh() {
  const { totals, outage } = await call('GET', '/status')
  $('totals').replaceChildren(
    ...['sources', 'enabled', 'failing', 'disabled', 'due', 'posts', 'articles', 'hosts'].map((name) =>
      element('div', { class: totals[name] > 0 ? name : 'none' }, element('b', {}, String(totals[name])), name),
    ),
  )
  await showTrouble($('trouble'), outage, act)
  const { health, q } = $('filter').elements
  const filtered = health.value !== '' || q.value.trim() !== ''
  const query = new URLSearchParams({ limit: String(Math.min(50 * pages, 500)) })
  if (health.value) query.set('health', health.value)
  if (q.value.trim()) query.set('q', q.value.trim())
  const { items, nextCursor } = await call('GET', `${home}/sources?${query}`)
  $('sources').replaceChildren(
    ...items.map((source) => sourceItem(source, `${home}/sources/${encodeURIComponent(source.id)}`, act)),
  )
  if (items.length === 0)
    $('sources').append(
      element('li', { class: 'empty' }, filtered ? 'Nothing like that.' : 'Nothing here yet. Add an address above.'),
    )
  $('more').hidden = nextCursor === null || pages >= 10
}

async function start() {
  const users = await call('GET', '/users?limit=500')
  const lists = await Promise.all(
    users.items.map(async (user) => {
      const { items } = await call('GET', `/users/${encodeURIComponent(user.id)}/podcasts?limit=500`)
      return items.map((podcast) => ({ user, podcast }))
    }),
  )
  const choices = lists.flat().map(({ user, podcast }) => {
    const value = `/users/${encodeURIComponent(user.id)}/podcasts/${encodeURIComponent(podcast.id)}`
    return element('option', { value }, users.items.length > 1 ? `${user.name}: ${podcast.name}` : podcast.name)
  })
  $('podcast').replaceChildren(...choices)
  $('podcast').hidden = choices.length < 2
  home = choices[0]?.value ?? ''
  main.hidden = false
  $('sign-in').hidden = true
  $('sign-out').hidden = !hasToken()
  show(home ? '' : 'This user has no podcast yet.')
  if (home) await refresh()
}

$('podcast').addEventListener('change', (event) => {
  home = event.target.value
  guarded(refresh)
})
$('sign-in').addEventListener('submit', (event) => {
  event.preventDefault()
  keepToken(event.target.elements.token.value.trim())
  guarded(start)
})
$('sign-out').addEventListener('click', () => {
  forgetToken()
  location.reload()
})
$('add').addEventListener('submit', (event) => {
  event.preventDefault()
  const form = event.target
  const { url, label, type } = form.elements
  const body = {
    url: url.value,
    ...(label.value ? { label: label.value } : {}),
    ...(type.value ? { type: type.value } : {}),
  }
  act(async () => {
    const { id } = await call('POST', `${home}/sources`, body)
    form.reset()
    // What was just tested is at hand: the first poll is there at once.
    return call('POST', `${home}/sources/${encodeURIComponent(id)}/poll?wait=true&timeout=20`)
  }, form.querySelector('button'))
})
$('filter').addEventListener('submit', (event) => event.preventDefault())
$('filter').addEventListener('input', () => {
  pages = 1
  guarded(refresh)
})
$('more').addEventListener('click', () => {
  pages += 1
  guarded(refresh)
})

guarded(start)
setInterval(() => {
  // Not while somebody reads an explanation or looks elsewhere.
  if (home && !main.hidden && !document.hidden && !document.querySelector('.why:not([hidden])')) guarded(refresh)
}, REFRESH_MS)
