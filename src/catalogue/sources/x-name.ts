// X accounts go by many spellings: `https://x.com/name`, `https://twitter.com/name`, `@name`, `name`.
import { invalidInput, shown } from '../shapes/validate.ts'

const X_ADDRESS = /^(?:https?:\/\/)?(?:www\.|mobile\.|m\.)?(?:x|twitter)\.com(?:\/|$)/i
const NAME = /^[A-Za-z0-9_]{1,15}$/
/** First words of paths on x.com that are pages of its own, not accounts. */
const RESERVED = new Set(
  'about compose download explore hashtag home i intent jobs login logout messages notifications privacy search settings share signup tos'.split(
    ' ',
  ),
)

export function looksLikeX(given: string): boolean {
  return X_ADDRESS.test(given) || /^@[A-Za-z0-9_]{1,15}$/.test(given)
}

export function xNameOf(given: string): string {
  const name = X_ADDRESS.test(given) ? pathOf(given) : given.replace(/^@/, '')
  if (!NAME.test(name)) throw notAnAccount(given)
  if (RESERVED.has(name.toLowerCase())) throw notAnAccount(given, `; "${name}" is a page of X itself`)
  return name
}

function pathOf(given: string): string {
  const afterHost = given.replace(X_ADDRESS, '')
  return afterHost.replace(/[?#].*$/s, '').replace(/\/$/, '')
}

function notAnAccount(given: string, why = '') {
  const message = `expected an X account such as https://x.com/name, @name or name, got ${shown(given)}${why}`
  return invalidInput([{ path: 'url', message }])
}
