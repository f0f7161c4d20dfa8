// The log: pino, one record per line, always on stderr, so that stdout has only the output of the command.
// Every record is cleaned before it is written: secrets are masked, and control and direction characters are escaped,
// in every field at any depth. The format is pretty on a terminal and JSON elsewhere, unless configured.
import { createRequire } from 'node:module'
import type pinoModule from 'pino'
import { escapeForTerminal, escapeInJson } from './log/escape.ts'
import { prettyLine } from './log/pretty.ts'
import { redact, redactText } from './log/redact.ts'
import type { Config } from './ports/config.ts'
import type { Log } from './ports/log.ts'

export { escapeForTerminal, escapeInJson } from './log/escape.ts'
export { redactText } from './log/redact.ts'

export interface LogTarget {
  write(text: string): unknown
  readonly isTTY?: boolean
}

export type TidingsLog = pinoModule.Logger & Log

/** Loaded when something is written: most commands write nothing. */
const pinoOf = createRequire(import.meta.url)
const loadPino = (): typeof pinoModule => pinoOf('pino')

export interface LogOptions extends Partial<Config['log']> {
  readonly target?: LogTarget
  /** By default a terminal gets colours. The caller must read NO_COLOR. */
  readonly colour?: boolean
}

export function createLog(options: LogOptions = {}): TidingsLog {
  const { level = 'info', format = 'auto', target = stderr() } = options
  const terminal = options.target ? target.isTTY === true : process.stderr.isTTY === true
  const pino = loadPino()
  const pretty = format === 'pretty' || (format === 'auto' && terminal)
  const colour = options.colour ?? terminal
  const cleaningTarget = { write: (line: string) => target.write(clean(line, pretty ? { colour } : null)) }
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: withErrorsReadable },
    },
    cleaningTarget,
  )
}

const LEVELS = ['debug', 'info', 'warn', 'error'] as const

/** The same log, which is made when the first line is written. */
export function lazyLog(options: LogOptions & Pick<Config['log'], 'level'>): Log {
  let made: Log | null = null
  const lowest = LEVELS.indexOf(options.level as (typeof LEVELS)[number])
  const isWritten = (at: number) => options.level === 'trace' || (lowest >= 0 && at >= lowest)
  const write = (level: (typeof LEVELS)[number], at: number): Log['info'] =>
    isWritten(at)
      ? (fields, message) => {
          made ??= createLog(options)
          made[level](fields, message)
        }
      : () => {}
  return { debug: write('debug', 0), info: write('info', 1), warn: write('warn', 2), error: write('error', 3) }
}

/** The default for callers that pass no log: it writes nothing. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }

function stderr(): LogTarget {
  const target = loadPino().destination({ dest: 2, sync: true })
  // The reader of stderr may be gone. That must not end the process.
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

// pino serialises errors only in `err`. In any other field an Error would become {}.
function withErrorsReadable(fields: Record<string, unknown>): Record<string, unknown> {
  const errors = Object.entries(fields).filter(([, value]) => value instanceof Error)
  if (errors.length === 0) return fields
  const readable = errors.map(([name, value]) => [name, loadPino().stdSerializers.err(value as Error)])
  return { ...fields, ...Object.fromEntries(readable) }
}
