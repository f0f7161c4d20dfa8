// Formats a record as one line for a terminal: time, level, message, then the fields that are not already in the message.
// The stack of an error follows on indented lines.
import { escapeForTerminal, escapeLines } from './escape.ts'

const COLOURS: Readonly<Record<string, string>> = {
  trace: '\u001b[90m',
  debug: '\u001b[90m',
  info: '\u001b[32m',
  warn: '\u001b[33m',
  error: '\u001b[31m',
  fatal: '\u001b[31m',
}
const DIM = '\u001b[90m'
const RESET = '\u001b[0m'

export function prettyLine(record: Readonly<Record<string, unknown>>, colour: boolean): string {
  const { time, level, msg, err, ...fields } = record
  const paint = (code: string, text: string) => (colour && code ? `${code}${text}${RESET}` : text)
  const name = escapeForTerminal(String(level))
  const head = `${paint(DIM, clockOf(time))} ${paint(COLOURS[name] ?? '', name.toUpperCase().padEnd(5))}`
  const otherFields = Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== null && !isInMessage(value, msg))
    .map(([key, value]) => `${escapeForTerminal(key)}=${fieldText(value)}`)
  const tail = otherFields.length > 0 ? ` ${paint(DIM, otherFields.join(' '))}` : ''
  return `${head} ${escapeForTerminal(String(msg ?? ''))}${tail}${stackOf(err)}\n`
}

function isInMessage(value: unknown, message: unknown): boolean {
  return typeof value === 'string' && value.length > 2 && typeof message === 'string' && message.includes(value)
}

function clockOf(time: unknown): string {
  const at = new Date(time as string)
  if (Number.isNaN(at.getTime())) return '--:--:--'
  return at.toLocaleTimeString('en-GB', { hour12: false })
}

function fieldText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const shown = escapeForTerminal(text)
  return shown === '' || /[\s"=]/.test(shown) ? `"${shown.replaceAll('"', '\\"')}"` : shown
}

function stackOf(err: unknown): string {
  if (typeof err !== 'object' || err === null) return err === undefined ? '' : ` ${fieldText(err)}`
  const { stack, message } = err as { stack?: unknown; message?: unknown }
  const text = typeof stack === 'string' ? stack : String(message ?? JSON.stringify(err))
  return `\n${escapeLines(text).replace(/^/gm, '    ')}`
}
