// Finds and makes elements. They are filled with text only: nothing from outside is read as markup.

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
export function byId(id, type) {
  const found = document.getElementById(id)
  if (found instanceof type) return found
  throw new Error(`The page has no ${type.name} called ${id}.`)
}

/** @param {HTMLFormElement} form @param {string} name */
export function fieldOf(form, name) {
  const field = form.elements.namedItem(name)
  if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) return field
  throw new Error(`The form ${form.id} has no field called ${name}.`)
}

/** The first link or button inside. @param {Element | null | undefined} inside */
export function firstControl(inside) {
  const found = inside?.querySelector('a[href], button')
  return found instanceof HTMLElement ? found : null
}

/**
 * A property that starts with "on" is a listener, any other an attribute.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, any>} [properties] any: values are texts, flags and listeners
 * @param {...(Node | string | null | undefined)} children
 */
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

const MAX_ADDRESS_LENGTH = 120

/** Addresses may have 2,000 characters; their beginning and end tell them apart. @param {string} url */
export function shortened(url) {
  return url.length <= MAX_ADDRESS_LENGTH ? url : `${url.slice(0, MAX_ADDRESS_LENGTH - 31)}…${url.slice(-30)}`
}

/** An address in running text, in full on hover. @param {string} url */
export function address(url) {
  return element('bdi', { title: shortened(url) === url ? null : url }, shortened(url))
}

/**
 * Only addresses that a browser may safely open become links.
 * @param {HTMLAnchorElement} anchor
 * @param {string} url
 * @param {string} text
 */
export function setLink(anchor, url, text) {
  if (/^https?:\/\//i.test(url)) anchor.setAttribute('href', url)
  else anchor.removeAttribute('href')
  if (shortened(url) === url) anchor.removeAttribute('title')
  else anchor.title = url
  anchor.textContent = text
}

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
/** @type {readonly (readonly [Intl.RelativeTimeFormatUnit, number])[]} */
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** "in 5 minutes" @param {string} iso */
export function fromNow(iso) {
  const away = Date.parse(iso) - Date.now()
  const [unit, ms] = UNITS.find(([, length]) => Math.abs(away) >= length) ?? ['second', 1000]
  return RELATIVE.format(Math.round(away / ms), unit)
}

/** The same, with the exact instant on hover. @param {string | null} iso @param {string} never shown without one */
export function time(iso, never) {
  return iso ? element('time', { datetime: iso, title: iso }, fromNow(iso)) : element('span', {}, never)
}
