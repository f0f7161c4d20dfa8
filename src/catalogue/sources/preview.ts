// What a poll of an address would store. Stores nothing.
import type { z } from 'zod'
import type { ActingOptions } from '../acting.ts'
import type { CatalogueParts } from '../parts.ts'
import type { PreviewView } from '../shapes/answers.ts'
import type { previewInput } from '../shapes/schemas.ts'
import { readInput } from '../shapes/validate.ts'
import { previewView } from '../shapes/views.ts'
import { readSourceUrl } from './source-url.ts'

export type PreviewInput = z.input<typeof previewInput>

export async function previewAddress(
  { types, shapes, engine }: Pick<CatalogueParts, 'types' | 'shapes' | 'engine'>,
  userId: string,
  input: PreviewInput,
  { admin = true, trusted = admin, signal, beforeTestFetch }: ActingOptions = {},
): Promise<PreviewView> {
  const { url: given, type: wanted, backfillDays, fullText } = readInput(shapes.previewInput, input)
  const type = wanted ?? types.toldByAddress(given)?.name ?? null
  const { url, credentials } = readSourceUrl(types, type, given)
  await beforeTestFetch?.()
  const asking = { userId, basicAuth: credentials, trusted, ...(signal && { signal }) }
  return previewView(
    await engine().testFetch({
      ...asking,
      type,
      url,
      backfillDays: backfillDays ?? 0,
      fullText: fullText ?? 'configured',
    }),
  )
}
