// Elements are made here and filled with text only: nothing from outside is ever read as markup, and none of it turns
// the direction of what stands beside it.
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value)
    else if (value === true) made.setAttribute(key, '')
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value)
  }
  made.append(...children.filter((child) => child !== null && child !== undefined))
  return made
}

const LONGEST_ADDRESS = 120

/** Addresses may have 2,000 characters; their beginning and end tell them apart. */
export function shortened(url) {
  return url.length <= LONGEST_ADDRESS ? url : `${url.slice(0, LONGEST_ADDRESS - 31)}…${url.slice(-30)}`
}

/** An address in running text, whole on hover. */
export function address(url) {
  return element('bdi', { title: shortened(url) === url ? null : url }, shortened(url))
}

/** Only addresses that a browser may safely open become links. */
export function setLink(anchor, url, text) {
  if (/^https?:\/\//i.test(url)) anchor.setAttribute('href', url)
  else anchor.removeAttribute('href')
  if (shortened(url) === url) anchor.removeAttribute('title')
  else anchor.title = url
  anchor.textContent = text
}

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const STEPS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** "in 5 minutes" */
export function fromNow(iso) {
  const away = Date.parse(iso) - Date.now()
  const [unit, ms] = STEPS.find(([, step]) => Math.abs(away) >= step) ?? ['second', 1000]
  return RELATIVE.format(Math.round(away / ms), unit)
}

/** The same, with the exact instant on hover. */
export function time(iso, never) {
  return iso ? element('time', { datetime: iso, title: iso }, fromNow(iso)) : element('span', {}, never)
}
