// Checks input once, at the edge, and reports all problems together: which field, what was expected, what was given.
// What was given is shown shortened, without credentials, and with control characters escaped.
import { z } from 'zod'
import { hideCredentials } from '../../domain/address.ts'
import { closestMatch } from '../../domain/did-you-mean.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'

/** zod's error option for a field: "expected <what>, got <what was given>". */
export function expected(what: string): { error: (issue: { input?: unknown }) => string } {
  return { error: (issue) => `expected ${what}, got ${shown(issue.input)}` }
}

const SHOWN_CHARACTERS = 80
const MOST_FIELDS = 500
const MOST_ERRORS = 100

export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return JSON.stringify(clipped(hideCredentials(value)))
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  return clipped(String(value))
}

function clipped(text: string): string {
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`
}

/**
 * Reads `input` by `schema`, or throws the problem 'invalid-input' with all errors.
 * `ignored`: fields of an answer that may be sent back but not set. `furtherErrors`: what a schema cannot check.
 */
export function readInput<S extends z.ZodType>(
  schema: S,
  input: unknown,
  ignored: readonly string[] = [],
  furtherErrors: (input: unknown) => readonly FieldError[] = () => [],
): z.output<S> {
  refuseTooManyFields(input)
  const result = schema.safeParse(without(input, ignored), { reportInput: true })
  const issues = result.success ? [] : result.error.issues.slice(0, MOST_ERRORS + 1)
  const errors = issues.flatMap((issue) => fieldErrors(schema, issue))
  const paths = new Set(errors.map((error) => error.path))
  errors.push(...furtherErrors(input).filter((error) => !paths.has(error.path)))
  if (result.success && errors.length === 0) return result.data
  throw invalidInput(errors)
}

/** No schema has nearly as many. Each unknown field would become an error, and a body can have a hundred thousand. */
function refuseTooManyFields(input: unknown): void {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return
  const { length } = Object.keys(input)
  if (length <= MOST_FIELDS) return
  throw invalidInput([{ path: '', message: `expected at most ${MOST_FIELDS} fields, got ${length}` }])
}

/** Reports the first errors one by one, and says that there are more. */
export function invalidInput(all: readonly FieldError[]): Problem {
  const more = { path: '', message: 'there are more errors' }
  const errors = all.length <= MOST_ERRORS ? all : [...all.slice(0, MOST_ERRORS), more]
  const messages = errors.map((error) => (error.path ? `${error.path}: ${error.message}` : error.message))
  return new Problem('invalid-input', messages.join('; '), errors)
}

function without(input: unknown, fields: readonly string[]): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  return Object.fromEntries(Object.entries(input).filter(([key]) => !fields.includes(key)))
}

/** Comparing costs time, and nobody misspells hundreds of fields. */
const GUESSED_FIELDS = 20

function fieldErrors(schema: z.ZodType, issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    const known = fieldsAt(schema, issue.path)
    return issue.keys.map((key, index) => {
      const guess = index < GUESSED_FIELDS ? closestMatch(key.slice(0, 50), known) : null
      const remedy = guess === null ? 'leave it out' : `did you mean ${guess}?`
      return { path: path ? `${path}.${key}` : key, message: `unknown field; ${remedy}` }
    })
  }
  if (path === '' && issue.code === 'invalid_type') {
    return [{ path, message: `expected an object, got ${shown(issue.input)}` }]
  }
  return [{ path, message: issue.message }]
}

/** The names of the fields of the object at `path`. */
function fieldsAt(schema: z.ZodType, [name, ...rest]: readonly PropertyKey[]): string[] {
  const inside = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? schema.unwrap() : schema
  if (inside !== schema) return fieldsAt(inside as z.ZodType, name === undefined ? [] : [name, ...rest])
  if (!(schema instanceof z.ZodObject)) return []
  if (name === undefined) return Object.keys(schema.shape)
  const field: unknown = schema.shape[String(name)]
  return field instanceof z.ZodType ? fieldsAt(field, rest) : []
}
