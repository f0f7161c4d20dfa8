/**
 * Places of the tz database, and what their clocks show.
 *
 * Asking the runtime for a place that does not exist takes as long as reading many dates, and whoever means harm can make
 * up any number of them; so names are looked up here first.
 */

/** Names that stand for another one; the runtime knows them all, but lists only one of each kind. */
const OTHER_NAMES: Record<string, string> = {
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

/** The name, if it is one: not as it was written, which is part of a document and would keep all of that. */
export function placeNamed(written: string): string | null {
  known ??= new Map(allNames().map((name) => [name, name]))
  return known.get(written) ?? null
}

function allNames(): string[] {
  return [...Intl.supportedValuesOf('timeZone').map((name) => name.toLowerCase()), ...otherNames()]
}

export function otherNames(): string[] {
  return Object.entries(OTHER_NAMES).flatMap(([area, names]) => names.split(' ').map((name) => `${area}/${name}`))
}

const DAY_SECONDS = 24 * 60 * 60
const WEEK_MS = 7 * DAY_SECONDS * 1000
const weekOf = (instantMs: number) => Math.floor(instantMs / WEEK_MS)

/** Before this no clock was ever changed. */
const FIRST_WEEK = weekOf(Date.UTC(1800, 0, 1))
/** From here on clocks are changed by rules alone, and the days of the calendar come again every 400 years. */
const RULED_WEEK = weekOf(Date.UTC(2100, 0, 1))
const CYCLE_WEEKS = (400 * 365.2425) / 7

/** A week that has the same clocks, of those that need to be asked about. */
function likeWeek(week: number): number {
  if (week < RULED_WEEK) return Math.max(week, FIRST_WEEK)
  return RULED_WEEK + ((week - RULED_WEEK) % CYCLE_WEEKS)
}

type Clocks = { format: Intl.DateTimeFormat; number: number }
const clocks = new Map<string, Clocks>()

/** By week and place: how far the clocks are ahead of UTC in the whole of it; null if they were changed in it. */
const askedWeeks = new Map<number, number | null>()
const MOST_WEEKS = 4096
/** More than have a name. */
const MOST_PLACES = 1024

/** How far the clocks of a place are ahead of UTC at an instant. They are never changed twice in a week. */
export function minutesAhead(place: string, instantMs: number): number {
  const there = clocksOf(place)
  const week = likeWeek(weekOf(instantMs))
  const key = week * MOST_PLACES + there.number
  let minutes = askedWeeks.get(key)
  if (minutes === undefined) {
    minutes = inWholeWeek(there, week)
    if (askedWeeks.size === MOST_WEEKS) askedWeeks.clear()
    askedWeeks.set(key, minutes)
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
  // The fewest fields that tell it, since each takes time with every date.
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

/** By what the clocks show, `31, 23:59:59`: read by position, since this is done for dates by the thousand. */
function shownAhead(format: Intl.DateTimeFormat, instantMs: number): number {
  const shown = format.format(instantMs)
  const there = (twoDigits(shown, HOUR) * 60 + twoDigits(shown, MINUTE)) * 60 + twoDigits(shown, SECOND)
  const utc = new Date(instantMs)
  const here = (utc.getUTCHours() * 60 + utc.getUTCMinutes()) * 60 + utc.getUTCSeconds()
  const days = daysAhead(Number.parseInt(shown, 10) - utc.getUTCDate())
  // Before there were zones, clocks were ahead by odd seconds.
  return Math.trunc((days * DAY_SECONDS + there - here) / 60)
}

/** Of days of the month that are neighbours: from the first to the last of the one before it is a day back. */
function daysAhead(difference: number): number {
  if (Math.abs(difference) <= 1) return difference
  return difference < 0 ? 1 : -1
}

function twoDigits(text: string, fromEnd: number): number {
  const at = text.length + fromEnd
  return (text.charCodeAt(at) - 0x30) * 10 + text.charCodeAt(at + 1) - 0x30
}
