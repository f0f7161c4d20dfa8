/**
 * Reads time zones as feeds write them: offsets in every form, abbreviations, names of the tz database.
 *
 * An abbreviation that several countries use means what most feeds mean: CST is Chicago, IST is India, BST is Britain.
 * An unknown zone counts as UTC, as in every other feed reader. Null means that the text is no zone at all.
 */
import { minutesAhead, placeNamed } from './places.ts'

export type Zone = { minutes: number } | { name: string }

export const UTC: Zone = { minutes: 0 }

const HOURS: Record<string, number> = {
  ...{
    z: 0,
    ut: 0,
    utc: 0,
    gmt: 0,
    wet: 0,
    west: 1,
    bst: 1,
    met: 1,
    mez: 1,
    cet: 1,
    wat: 1,
    mest: 2,
    mesz: 2,
    cest: 2,
  },
  ...{ eet: 2, cat: 2, sast: 2, eest: 3, msk: 3, trt: 3, eat: 3, msd: 4, gst: 4, irst: 3.5, aft: 4.5, pkt: 5, uzt: 5 },
  ...{ ist: 5.5, npt: 5.75, bdt: 6, ict: 7, wib: 7, hkt: 8, sgt: 8, pht: 8, myt: 8, awst: 8, wita: 8, jst: 9, kst: 9 },
  ...{ wit: 9, acst: 9.5, aest: 10, acdt: 10.5, aedt: 11, nzst: 12, nzdt: 13, nst: -3.5, ndt: -2.5, brst: -2, brt: -3 },
  ...{ art: -3, clst: -3, clt: -4, adt: -3, ast: -4, edt: -4, est: -5, cdt: -5, cst: -6, mdt: -6, mst: -7, pdt: -7 },
  ...{ cot: -5, pet: -5, ect: -5, vet: -4, bot: -4, uyt: -3, gft: -3, cvt: -1, azot: -1, wast: 2, idt: 3, irdt: 4.5 },
  ...{ get: 4, azt: 4, samt: 4, mut: 4, ret: 4, yekt: 5, mvt: 5, tmt: 5, tjt: 5, slst: 5.5, omst: 6, kgt: 6, btt: 6 },
  ...{ mmt: 6.5, novt: 7, krat: 7, irkt: 8, ulat: 8, bnt: 8, yakt: 9, vlat: 10, chst: 10, pgt: 10, magt: 11, pett: 12 },
  ...{ pst: -8, akdt: -8, akst: -9, hdt: -9, hst: -10, sst: -11 },
}
/** Single letters as RFC 822 defines them, not as the military does. An "h" is left out: it only means "hours". */
for (const [at, letter] of [...'abcdefg'].entries()) HOURS[letter] = -(at + 1)
for (const [at, letter] of [...'iklm'].entries()) HOURS[letter] = -(at + 9)
for (const [at, letter] of [...'nopqrstuvwxy'].entries()) HOURS[letter] = at + 1

const ABBREVIATIONS = new Map(Object.entries(HOURS))
/** Abbreviations for both standard and summer time. */
const REGIONS = new Map(
  Object.entries({
    at: 'America/Halifax',
    et: 'America/New_York',
    ct: 'America/Chicago',
    mt: 'America/Denver',
    pt: 'America/Los_Angeles',
  }),
)

/** The abbreviation for each long name. */
const WHOLE_NAMES = new Map(
  Object.entries({
    ...{ 'greenwich mean time': 'gmt', 'coordinated universal time': 'utc', 'british summer time': 'bst' },
    ...{
      'central european time': 'cet',
      'central european standard time': 'cet',
      'central european summer time': 'cest',
    },
    ...{
      'eastern european time': 'eet',
      'eastern european standard time': 'eet',
      'eastern european summer time': 'eest',
    },
    ...{ 'india standard time': 'ist', 'japan standard time': 'jst', 'korean standard time': 'kst' },
    ...{ 'moscow standard time': 'msk', est5edt: 'et', cst6cdt: 'ct', mst7mdt: 'mt', pst8pdt: 'pt' },
  }),
)
for (const region of ['eastern', 'central', 'mountain', 'pacific', 'atlantic']) {
  const [letter] = region
  for (const name of [region, `${region} time`]) WHOLE_NAMES.set(name, `${letter}t`)
  WHOLE_NAMES.set(`${region} standard time`, `${letter}st`)
  WHOLE_NAMES.set(`${region} daylight time`, `${letter}dt`)
}

const OFFSET = /[+-]{1,2}\s*(\d{1,2})(?::?(\d{2}))?(?::?\d{2})?(?!\d)/

/** The most frequent form. */
const PLAIN_OFFSET = /^[+-]\d\d:?\d\d$/

/** An offset of zero without its sign. */
const ZERO_OFFSET = /^00(?:00)?$/

const LOWER_A = 0x61

const BRACKETS = /[([].*$/
/** Punctuation, and words for "hours" that belong to the time. */
const AROUND = /^(?:[\s:,]|(?:hrs?|hours|uhr|uur)\b\.?)+|[\s.,;]+$/g

/** `written`: what stands behind a time, in lower case. An offset takes precedence over an abbreviation beside it. */
export function readZone(written: string): Zone | null {
  const alone = written.trim()
  if (PLAIN_OFFSET.test(alone)) return plainOffset(alone)
  // Most texts are empty or an offset, so names are looked up only if a letter comes first.
  const known = alone.charCodeAt(0) >= LOWER_A ? (abbreviatedZone(alone) ?? zoneOfPlace(alone)) : null
  if (known !== null) return known
  const text = alone.replace(BRACKETS, '').replace(AROUND, '')
  if (text === '') return inBrackets(written) ?? UTC
  const whole = WHOLE_NAMES.get(text)
  if (whole !== undefined) return abbreviatedZone(whole)
  const offset = OFFSET.exec(text)
  const word = (offset ? text.replace(OFFSET, ' ') : text).trim()
  if (word !== '' && !/^[a-z]{1,5}$|^[a-z]+(?:\/[a-z_+-]+)+$/.test(word) && !(ZERO_OFFSET.test(word) && !offset))
    return null
  if (offset) return readOffset(text, offset)
  return abbreviatedZone(word.replace(/^etc\//, '')) ?? zoneOfPlace(word) ?? UTC
}

/** Names in Etc are read as offsets instead. */
function zoneOfPlace(word: string): Zone | null {
  const name = word.includes('/') && !word.startsWith('etc/') ? placeNamed(word) : null
  return name === null ? null : { name }
}

/** Text in brackets usually only explains the zone. It counts if there is no other zone. */
function inBrackets(written: string): Zone | null {
  const inside = /[([]([^()[\]]+)/.exec(written)
  return inside ? readZone(inside[1] ?? '') : null
}

/** Null for an unknown abbreviation. */
export function abbreviatedZone(word: string): Zone | null {
  const hours = ABBREVIATIONS.get(word)
  if (hours !== undefined) return { minutes: hours * 60 }
  const name = REGIONS.get(word)
  return name === undefined ? null : { name }
}

function plainOffset(text: string): Zone | null {
  return offsetOf(text[0] === '-', Number(text.slice(1, 3)), Number(text.slice(-2)))
}

function offsetOf(isWest: boolean, hours: number, minutes: number): Zone | null {
  const value = hours * 60 + minutes
  if (minutes > 59 || value > 15 * 60) return null
  return { minutes: isWest ? -value : value }
}

function readOffset(text: string, [all, hours = '0', minutes = '0']: RegExpExecArray): Zone | null {
  // Three digits are one for hours and two for minutes.
  const odd = /^[^\d]*(\d)(\d\d)$/.exec(all.trim())
  const isWest = text.slice(text.search(/[+-]/), text.search(/\d/)).includes('-')
  return offsetOf(isWest, Number(odd?.[1] ?? hours), Number(odd?.[2] ?? minutes))
}

export function zoneOffsetMinutes(zone: Zone, wallMs: number): number {
  if ('minutes' in zone) return zone.minutes
  // The first offset is for the wall time read as UTC, which is wrong only within hours of a clock change.
  const first = minutesAhead(zone.name, wallMs)
  return minutesAhead(zone.name, wallMs - first * 60_000)
}
