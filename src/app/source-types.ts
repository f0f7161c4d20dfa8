// The source types of this process: those that Tidings comes with, and those that a caller adds.
import { BUILT_IN_TYPES } from '../domain/built-in-types.ts'
import { type SourceTypeDescriptor, SourceTypes } from '../domain/source-type.ts'
import type { Config } from '../ports/config.ts'
import type { SourceReader } from '../ports/reader.ts'

export interface AddedType {
  readonly type: SourceTypeDescriptor
  readonly reader: SourceReader
}

export function sourceTypesWith(added: readonly AddedType[]): SourceTypes {
  return new SourceTypes([...BUILT_IN_TYPES.all, ...added.map(({ type }) => type)])
}

/** The configuration knows the built-in types only. An added type has the delay that its descriptor states. */
export function withDelaysOf({ all }: SourceTypes, config: Config): Config {
  const usual = Object.fromEntries(all.map(({ name, pollDelaySeconds }) => [name, pollDelaySeconds]))
  return { ...config, source: { ...config.source, pollDelaySeconds: { ...usual, ...config.source.pollDelaySeconds } } }
}
