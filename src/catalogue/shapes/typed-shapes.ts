// The shapes that name a source type, with the types that there are: for validation and for the OpenAPI description.
import { z } from 'zod'
import type { SourceTypes } from '../../domain/source-type.ts'
import { newSourceAnswer, previewAnswer, sourceAnswer } from './answers.ts'
import { bulkInput, newSource, previewInput, sourceFilter, sourcePatch, sourcePut, sourceQuery } from './schemas.ts'
import { expected } from './validate.ts'

export type TypedShapes = ReturnType<typeof typedShapes>

export function typedShapes({ names }: Pick<SourceTypes, 'names'>) {
  const type = z.enum(names, expected(`one of ${names.join(', ')}`))
  const discovered = 'left out: discovered by a test fetch, and url becomes the feed found'
  const told = { type: z.enum(names) }
  return {
    newSource: newSource.extend({ type: type.nullish().describe(discovered) }),
    sourcePut: sourcePut.extend({ type }),
    sourcePatch: sourcePatch.extend({ type: type.optional() }),
    sourceQuery: sourceQuery.extend({ type: type.nullish() }),
    bulkInput: bulkInput.extend({ filter: sourceFilter.extend({ type: type.nullish() }).nullish() }),
    previewInput: previewInput.extend({ type: type.nullish() }),
    sourceAnswer: sourceAnswer.extend(told).meta({ id: 'Source' }),
    newSourceAnswer: newSourceAnswer.extend(told).meta({ id: 'NewSource' }),
    previewAnswer: previewAnswer.extend(told).meta({ id: 'Preview' }),
  }
}
