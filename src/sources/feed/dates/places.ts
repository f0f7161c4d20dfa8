/**
 * Time zones by their name in the tz database, such as `America/New_York`, and their offsets.
 *
 * Asking the runtime for an unknown name takes as long as reading many dates, and a hostile document can invent any
 * number of names. So each name is looked up in a table first.
 */

/** Alternative names. The runtime accepts them but does not list them. */
const ALTERNATIVE_NAMES: Record<string, string> = {
  africa: 'asmara asmera timbuktu',
  america:
    'argentina/buenos_aires argentina/catamarca argentina/comodrivadavia argentina/cordoba ' +
    'argentina/jujuy argentina/mendoza atikokan atka buenos_aires catamarca coral_harbour cordoba ' +
    'ensenada fort_wayne godthab indiana/indianapolis indianapolis jujuy kentucky/louisville knox_in ' +
    'louisville mendoza montreal nipigon nuuk pangnirtung porto_acre rainy_river rosario santa_isabel ' +
    'shiprock thunder_bay virgin yellowknife',
  antarctica: 'south_pole',
  asia:
    'ashkhabad calcutta choibalsan chongqing chungking dacca harbin ho_chi_minh istanbul kashgar ' +
    'kathmandu katmandu kolkata macao rangoon saigon tel_aviv thimbu ujung_pandang ulan_bator yangon',
  atlantic: 'faeroe faroe jan_mayen',
  australia: 'act canberra currie lhi north nsw queensland south tasmania victoria west yancowinna',
  brazil: 'acre denoronha east west',
  canada: 'atlantic central eastern mountain newfoundland pacific saskatchewan yukon',
  chile: 'continental easterisland',
  europe: 'belfast kiev kyiv nicosia tiraspol uzhgorod zaporozhye',
  mexico: 'bajanorte bajasur general',
  pacific: 'chuuk enderbury johnston kanton pohnpei ponape samoa truk yap',
  us: 'alaska aleutian arizona central east-indiana eastern hawaii indiana-starke michigan mountain pacific samoa',
}

let known: ReadonlyMap<string, string> | null = null

/** The name from the table; null if unknown. The given string may be a slice that keeps its whole document in memory. */
export function placeNamed(written: string): string | null {
  known ??= new Map(allNames().map((name) => [name, name]))
  return known.get(written) ?? null
}

function allNames(): string[] {
  return [...Intl.supportedValuesOf('timeZone').map((name) => name.toLowerCase()), ...otherNames()]
}

export function otherNames(): string[] {
  return Object.entries(ALTERNATIVE_NAMES).flatMap(([area, names]) => names.split(' ').map((name) => `${area}/${name}`))
}

const DAY_SECONDS = 24 * 60 * 60
const WEEK_MS = 7 * DAY_SECONDS * 1000
const weekOf = (instantMs: number) => Math.floor(instantMs / WEEK_MS)

/** Clocks were never changed before this week. */
const FIRST_WEEK = weekOf(Date.UTC(1800, 0, 1))
/** From this week on clocks change by fixed rules only, and the calendar repeats every 400 years. */
const RULED_WEEK = weekOf(Date.UTC(2100, 0, 1))
const CYCLE_WEEKS = (400 * 365.2425) / 7

/** A week with the same offsets, from the limited range of weeks that is asked about. */
function equivalentWeek(week: number): number {
  if (week < RULED_WEEK) return Math.max(week, FIRST_WEEK)
  return RULED_WEEK + ((week - RULED_WEEK) % CYCLE_WEEKS)
}

type Clocks = { format: Intl.DateTimeFormat; number: number }
const clocks = new Map<string, Clocks>()

/** The offset by week and place; null if the clocks change within that week. */
const offsetsByWeek = new Map<number, number | null>()
const MAX_WEEKS = 4096
/** More than the tz database has. */
const MAX_PLACES = 1024

/** How far the clocks of a place are ahead of UTC at an instant. Clocks never change twice in a week. */
export function minutesAhead(place: string, instantMs: number): number {
  const there = clocksOf(place)
  const week = equivalentWeek(weekOf(instantMs))
  const key = week * MAX_PLACES + there.number
  let minutes = offsetsByWeek.get(key)
  if (minutes === undefined) {
    minutes = inWholeWeek(there, week)
    if (offsetsByWeek.size === MAX_WEEKS) offsetsByWeek.clear()
    offsetsByWeek.set(key, minutes)
  }
  return minutes ?? shownAhead(there.format, instantMs)
}

function inWholeWeek({ format }: Clocks, week: number): number | null {
  const before = shownAhead(format, week * WEEK_MS)
  return before === shownAhead(format, (week + 1) * WEEK_MS) ? before : null
}

function clocksOf(place: string): Clocks {
  const known = clocks.get(place)
  if (known) return known
  // Only the fields that are needed, because each one costs time for every date.
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: place, hourCycle: 'h23' },
    ...{ day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  })
  const made = { format, number: clocks.size }
  clocks.set(place, made)
  return made
}

const HOUR = -8
const MINUTE = -5
const SECOND = -2

/** Compares what the clocks show (`31, 23:59:59`) with UTC. It reads by position, because it runs for thousands of dates. */
function shownAhead(format: Intl.DateTimeFormat, instantMs: number): number {
  const shown = format.format(instantMs)
  const there = (twoDigits(shown, HOUR) * 60 + twoDigits(shown, MINUTE)) * 60 + twoDigits(shown, SECOND)
  const utc = new Date(instantMs)
  const here = (utc.getUTCHours() * 60 + utc.getUTCMinutes()) * 60 + utc.getUTCSeconds()
  const days = daysAhead(Number.parseInt(shown, 10) - utc.getUTCDate())
  // Before time zones existed, offsets were not whole minutes.
  return Math.trunc((days * DAY_SECONDS + there - here) / 60)
}

/** The difference of two neighbouring days by their day of the month: from the 1st to the 31st is one day back. */
function daysAhead(difference: number): number {
  if (Math.abs(difference) <= 1) return difference
  return difference < 0 ? 1 : -1
}

function twoDigits(text: string, fromEnd: number): number {
  const at = text.length + fromEnd
  return (text.charCodeAt(at) - 0x30) * 10 + text.charCodeAt(at + 1) - 0x30
}
