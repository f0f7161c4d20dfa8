// The fields that input schemas are made of. Each says in its message what was expected and what was given.
import { z } from 'zod'
import { expected } from './validate.ts'

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

export function whole(min: number, max: number) {
  const range = expected(`a whole number from ${min} to ${max}`)
  return z.int(range).min(min, range).max(max, range)
}

export function text(max: number, what = 'text', error: typeof expected = expected) {
  return (
    z
      .string(error(what))
      .trim()
      .max(max, error(`${what} of at most ${max} characters`))
      .refine((value) => !CONTROL.test(value), { error: `expected ${what} without control characters` })
      // No database keeps half of a character.
      .refine((value) => value.isWellFormed(), { error: `expected ${what} of whole characters, got half of one` })
  )
}

export function filledText(max: number, what: string) {
  return text(max, what).min(1, expected(`${what} that is not blank`))
}

/** Text that its errors do not repeat, because it is or contains a secret. */
export function hiddenText(max: number, what: string) {
  const withoutRepeating: typeof expected = (wanted) => ({ error: () => `expected ${wanted}` })
  return text(max, what, withoutRepeating).min(1, withoutRepeating(`${what} that is not blank`))
}

export const yesNo = z.boolean(expected('true or false'))

export function oneOf<const C extends readonly [string, ...string[]]>(choices: C) {
  return z.enum(choices, expected(`one of ${choices.join(', ')}`))
}
