// What a source type is, as a value: everything that the rest of the program has to know of a type besides how its
// documents are read. No other file tests the name of a type. See docs/decisions/0108-source-types-are-values.md
import type { AddressRead } from './address.ts'
import type { NewEntries } from './choose.ts'
import { laneOfUrl, ownerLane } from './lane.ts'
import type { SourceType } from './source.ts'

export interface SourceTypeDescriptor {
  /** As people, the API and the store name it. */
  readonly name: SourceType
  /** What stands at its address. Lists for other programs have a word for feeds and one for pages. */
  readonly document: 'feed' | 'page' | 'account'
  /** Whether an address can only be of this type: as a person writes it, and as it is stored. */
  recognises(given: string): boolean
  /** The same for a row of an imported list, whose address nobody asks; by default as `recognises`. */
  recognisesRow?(given: string): boolean
  /** An address as a person writes it, in the one form that is stored and compared. */
  readAddress(given: string): AddressRead
  /** What is asked instead of the address, where the address alone tells; null when it does not. */
  feedUrlOf?(given: string): string | null
  readonly newEntries: NewEntries
  /** Whether its posts lead to pages that may have more text. */
  readonly hasPagesBehindPosts?: boolean
  /** Whether its posts become threads unless a person says otherwise. */
  readonly aggregates: boolean
  /** The provider whose key its owner has to store; null when no key is needed. */
  readonly keyProvider: string | null
  /** The host's lane, or one for each owner, named after this service. */
  readonly lane: 'host' | { readonly service: string }
  /** 'never': a request costs the owner something, so a new address is taken at its word. Previews may ask. */
  readonly testWhenAdded: 'always' | 'never'
  /** The pause between two visits to a host, unless the configuration says otherwise. */
  readonly pollDelaySeconds: number
}

/** Where a source of the type asks. `asked` is the URL that is asked first. */
export function laneOf({ lane }: Pick<SourceTypeDescriptor, 'lane'>, asked: string, userId: string): string {
  return lane === 'host' ? laneOfUrl(asked) : ownerLane(lane.service, userId)
}

/** The types that there are, in the order in which people see them. */
export class SourceTypes {
  readonly all: readonly SourceTypeDescriptor[]
  readonly names: readonly SourceType[]
  /** Those whose owners have a lane each. */
  readonly services: readonly string[]
  readonly keyProviders: readonly string[]

  constructor(all: readonly SourceTypeDescriptor[]) {
    this.all = all
    for (const type of all) checkNames(type)
    this.names = all.map(({ name }) => name)
    this.services = [...new Set(all.flatMap(({ lane }) => (lane === 'host' ? [] : [lane.service])))]
    this.keyProviders = [...new Set(all.flatMap(({ keyProvider }) => keyProvider ?? []))]
  }

  /** null: no type has this name, as when a store was written by a version that had one. */
  find(name: unknown): SourceTypeDescriptor | null {
    return this.all.find((type) => type.name === name) ?? null
  }

  of(name: SourceType): SourceTypeDescriptor {
    const type = this.find(name)
    if (!type) throw new Error(`there is no source type ${name}`)
    return type
  }

  recognising(given: string): SourceTypeDescriptor | null {
    return this.all.find((type) => type.recognises(given)) ?? null
  }

  recognisingRow(given: string): SourceTypeDescriptor | null {
    return this.all.find((type) => (type.recognisesRow ?? type.recognises)(given)) ?? null
  }

  /** The type that an address tells by itself. Types that are tested when added are found out by asking. */
  toldByAddress(given: string): SourceTypeDescriptor | null {
    return this.all.find((type) => type.testWhenAdded === 'never' && type.recognises(given)) ?? null
  }
}

/** Names stand in keys of the configuration, in lanes and in SQL. */
function checkNames({ name, lane }: SourceTypeDescriptor): void {
  for (const word of [name, ...(lane === 'host' ? [] : [lane.service])]) {
    if (!/^[a-z][a-z0-9-]*$/.test(word)) throw new Error(`expected lower-case letters, digits and dashes, got ${word}`)
  }
}
