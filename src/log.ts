// The log: pino, one record a line, always to stderr so that a command's own output on stdout stays clean.
// Every record passes one gate on its way out, whoever wrote it and however deep the field: secrets are masked,
// control and direction characters escaped. Pretty on a terminal, JSON otherwise, unless configured.
import pino from 'pino'
import { escapeForTerminal, escapeInJson } from './log/escape.ts'
import { prettyLine } from './log/pretty.ts'
import { redact, redactText } from './log/redact.ts'
import type { Config } from './ports/config.ts'
import type { Log } from './ports/log.ts'

export { escapeForTerminal } from './log/escape.ts'
export { redactText } from './log/redact.ts'

export interface LogTarget {
  write(text: string): unknown
  readonly isTTY?: boolean
}

export type TidingsLog = pino.Logger & Log

export interface LogOptions extends Partial<Config['log']> {
  readonly target?: LogTarget
  /** Default: NO_COLOR is for the caller to read; a terminal gets colours. */
  readonly colour?: boolean
}

export function createLog(options: LogOptions = {}): TidingsLog {
  const { level = 'info', format = 'auto', target = stderr() } = options
  const terminal = options.target ? target.isTTY === true : process.stderr.isTTY === true
  const pretty = format === 'pretty' || (format === 'auto' && terminal)
  const colour = options.colour ?? terminal
  const gate = { write: (line: string) => target.write(clean(line, pretty ? { colour } : null)) }
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: withErrorsReadable },
    },
    gate,
  )
}

/** For people who inject nothing: says nothing. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }

function stderr(): LogTarget {
  const target = pino.destination({ dest: 2, sync: true })
  // Whoever read the log may be gone; that must not end the process.
  target.on('error', () => {})
  return target
}

function clean(line: string, pretty: { colour: boolean } | null): string {
  let record: unknown
  try {
    record = redact(JSON.parse(line))
  } catch {
    return `${escapeForTerminal(redactText(line.trimEnd()))}\n`
  }
  if (pretty) return prettyLine(record as Record<string, unknown>, pretty.colour)
  return `${escapeInJson(JSON.stringify(record))}\n`
}

// An Error in any field would serialise to {}; pino itself only knows `err`.
function withErrorsReadable(fields: Record<string, unknown>): Record<string, unknown> {
  const errors = Object.entries(fields).filter(([, value]) => value instanceof Error)
  if (errors.length === 0) return fields
  const readable = errors.map(([name, value]) => [name, pino.stdSerializers.err(value as Error)])
  return { ...fields, ...Object.fromEntries(readable) }
}
