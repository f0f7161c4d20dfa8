// Elements are made here and filled with text only: nothing from outside is ever read as markup.
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

/** A link only for addresses that a browser may safely open. */
export function link(url, text) {
  if (!/^https?:\/\//i.test(url)) return element('span', {}, text)
  return element('a', { href: url, rel: 'noreferrer noopener', target: '_blank' }, text)
}

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const STEPS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** "in 5 minutes", with the exact instant on hover. */
export function time(iso, never) {
  if (!iso) return element('span', {}, never)
  const away = Date.parse(iso) - Date.now()
  const [unit, ms] = STEPS.find(([, step]) => Math.abs(away) >= step) ?? ['second', 1000]
  return element('time', { datetime: iso, title: iso }, RELATIVE.format(Math.round(away / ms), unit))
}
