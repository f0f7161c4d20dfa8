// Times as people say them: relative near now, and in full on hover. All of them move on together.
import { createState, useValue } from './state.ts'

const clock = createState(Date.now())
setInterval(() => clock.set(Date.now()), 5000)

export function useNow(): number {
  return useValue(clock)
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const short = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

export function fromNow(at: string | number, now = Date.now(), words = relative): string {
  const ms = (typeof at === 'number' ? at : Date.parse(at)) - now
  const [unit, size] = UNITS.find(([, unitMs]) => Math.abs(ms) >= unitMs * 0.95) ?? ['second', 1000]
  if (unit === 'second') return Math.abs(ms) < 5000 ? 'now' : words.format(Math.round(ms / 1000), 'second')
  if (unit === 'day' && Math.abs(ms) > 30 * size) return day.format(now + ms)
  return words.format(Math.round(ms / size), unit)
}

interface WhenProps {
  readonly at: string | null | undefined
  readonly none?: string
  /** For a column of a table. */
  readonly isShort?: boolean
}

export function When({ at, none = 'never', isShort = false }: WhenProps) {
  const now = useNow()
  if (!at) return <span>{none}</span>
  return (
    <time dateTime={at} title={full.format(Date.parse(at))}>
      {fromNow(at, now, isShort ? short : relative)}
    </time>
  )
}

export function inFull(at: string | number): string {
  return full.format(typeof at === 'number' ? at : Date.parse(at))
}

const INSTANT = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/

/** A sentence of the server, with its instants as this browser writes them. */
export function Sentence({ text }: { readonly text: string }) {
  const parts = text.split(INSTANT)
  return (
    <>
      {parts.map((part) =>
        INSTANT.test(part) ? (
          <time key={part} dateTime={part}>
            {full.format(Date.parse(part))}
          </time>
        ) : (
          part
        ),
      )}
    </>
  )
}

export function durationWords(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`
  return `${Math.round(ms / 360_000) / 10} h`
}

export function bytesWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`
}
