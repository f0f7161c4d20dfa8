// Source type `twitter`: an account of X, read through X's API with its owner's key.
// Accounts go by many spellings: `https://x.com/name`, `https://twitter.com/name`, `@name`, `name`.
import type { AddressRead } from './address.ts'
import type { SourceTypeDescriptor } from './source-type.ts'

/** Where X is, in every spelling of its address. */
const X_ADDRESS = /^(?:https?:\/\/)?(?:www\.|mobile\.|m\.)?(?:x|twitter)\.com(?:\/|$)/i
const NAME = /^[A-Za-z0-9_]{1,15}$/
/** First words of paths on x.com that are pages of X itself, not accounts. */
const RESERVED = new Set(
  'about compose download explore hashtag home i intent jobs login logout messages notifications privacy search settings share signup tos'.split(
    ' ',
  ),
)

/** The reason of a poll for which its owner has no key. */
export const NO_X_KEY = 'no X API key for user'

export const X_TYPE: SourceTypeDescriptor = {
  name: 'twitter',
  document: 'account',
  recognises: (given) => X_ADDRESS.test(given) || /^@[A-Za-z0-9_]{1,15}$/.test(given),
  recognisesRow: (given) => X_TYPE.recognises(given.trim()),
  readAddress: readXAddress,
  newEntries: 'by-mark',
  aggregates: true,
  keyProvider: 'x',
  lane: { service: 'x' },
  // It would cost the owner's quota.
  testWhenAdded: 'never',
  pollDelaySeconds: 0,
}

/** The account's name in an address as it is stored; null when it names none. */
export function xNameIn(url: string): string | null {
  const name = /^https?:/i.test(url) && X_ADDRESS.test(url) ? writtenName(url) : ''
  return NAME.test(name) ? name : null
}

function writtenName(given: string): string {
  if (!X_ADDRESS.test(given)) return given.replace(/^@/, '')
  return given
    .replace(X_ADDRESS, '')
    .replace(/[?#].*$/s, '')
    .replace(/\/$/, '')
}

function readXAddress(given: string): AddressRead {
  const expected = 'an X account such as https://x.com/name, @name or name'
  const name = writtenName(given)
  if (!NAME.test(name)) return { expected, remedy: '' }
  if (RESERVED.has(name.toLowerCase())) return { expected, remedy: `; "${name}" is a page of X itself` }
  return { url: `https://x.com/${name}`, urlKey: `https://x.com/${name.toLowerCase()}`, credentials: null }
}
