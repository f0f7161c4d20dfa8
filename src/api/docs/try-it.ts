// Sends the forms of the API description, and shows what comes back. A file of its own, because the page allows no script
// inside itself. It keeps the token in the page only.
import type { Route } from '../route.ts'

const SCRIPT = `
const token = document.querySelector('#token')
for (const form of document.querySelectorAll('form.try')) form.addEventListener('submit', send)

async function send(event) {
  event.preventDefault()
  const form = event.currentTarget
  const answer = form.querySelector('output')
  const values = new FormData(form)
  const query = new URLSearchParams()
  let path = form.dataset.path
  for (const [name, value] of values) {
    if (name.startsWith('path:')) path = path.replace('{' + name.slice(5) + '}', encodeURIComponent(value))
    else if (name.startsWith('query:') && value !== '') query.set(name.slice(6), value)
  }
  const body = values.get('body')
  const headers = {}
  if (token.value !== '') headers.authorization = 'Bearer ' + token.value
  if (body) headers['content-type'] = form.dataset.type
  const url = path + (query.size > 0 ? '?' + query : '')
  answer.textContent = form.dataset.method + ' ' + url + ' ...'
  try {
    const response = await fetch(url, { method: form.dataset.method, headers, body: body || undefined })
    const text = await response.text()
    let shown = text
    try { shown = JSON.stringify(JSON.parse(text), null, 2) } catch {}
    answer.textContent = response.status + ' ' + response.statusText + '\\n' + shown.slice(0, 20000)
  } catch (error) {
    answer.textContent = 'No answer: ' + error.message
  }
}
`

export const tryItRoute: Route = {
  ...{ method: 'GET', path: '/docs.js', tag: 'Pages', access: 'anyone', summary: 'Forms of the API description' },
  answers: { 200: 'text/javascript' },
  handle: () => ({ status: 200, text: SCRIPT, contentType: 'text/javascript; charset=utf-8' }),
}
