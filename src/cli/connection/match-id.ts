// Finds one of several things by what a person typed: its id, its name, or the beginning of its id if no other begins so.
import { closestMatch } from '../../domain/did-you-mean.ts'
import { CliFailure } from '../failure.ts'

export interface Kind {
  readonly one: string
  readonly many: string
  /** The command that shows them. */
  readonly listedBy: string
}

interface Identified {
  readonly id: string
  readonly name?: string
}

// Shorter beginnings are more likely a typing error than an id.
const SHORTEST_PREFIX = 4

export function isPrefix(typed: string): boolean {
  return typed.length >= SHORTEST_PREFIX && /^[0-9a-f-]+$/i.test(typed)
}

/** Undefined if there is none. Throws if several fit. */
export function matchOf<T extends Identified>(kind: Kind, all: readonly T[], typed: string): T | undefined {
  const exact = all.find(({ id }) => id === typed)
  if (exact) return exact
  const sameName = all.filter(({ name }) => name === typed)
  if (sameName.length > 1) throw severalFit(`${sameName.length} ${kind.many} are called ${typed}`, sameName)
  if (sameName[0]) return sameName[0]
  const begun = isPrefix(typed) ? all.filter(({ id }) => id.startsWith(typed.toLowerCase())) : []
  if (begun.length > 1) throw severalFit(`${begun.length} ${kind.many} have an id that begins with ${typed}`, begun)
  return begun[0]
}

export function matchOrFail<T extends Identified>(kind: Kind, all: readonly T[], typed: string): T {
  const found = matchOf(kind, all, typed)
  if (found) return found
  const known = all.flatMap(({ id, name }) => (name === undefined ? [id] : [name, id]))
  throw new CliFailure(`There is no ${kind.one} ${typed}.${didYouMean(typed, known)} "${kind.listedBy}" shows them.`)
}

/** Empty if nothing known is near to what was typed. */
export function didYouMean(typed: string, known: readonly string[]): string {
  const meant = closestMatch(typed, known)
  return meant === null ? '' : ` Did you mean ${meant}?`
}

const IDS_SHOWN = 10

export function severalFit(what: string, all: readonly Identified[]): CliFailure {
  const ids = all.slice(0, IDS_SHOWN).map(({ id }) => id)
  const more = all.length > IDS_SHOWN ? ` and ${all.length - IDS_SHOWN} more` : ''
  return new CliFailure(`${what}; give one of their ids: ${ids.join(', ')}${more}`)
}
