// Structured logging, shaped like pino: fields first, then the sentence.

type Write = (fields: Readonly<Record<string, unknown>>, message: string) => void

export interface Log {
  debug: Write
  info: Write
  warn: Write
  error: Write
}
