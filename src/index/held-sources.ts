// Sources as users of the library change them: whatever makes a request does so only while the file is held.
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { FileHold } from './file-hold.ts'

type Sources = Catalogue['sources']

export function heldWhileAsking(sources: Sources, hold: FileHold): Sources {
  const whenTested = <T>(isTested: boolean | undefined, work: () => Promise<T>): Promise<T> =>
    isTested ? hold.during(work) : work()
  return {
    ...sources,
    create: (podcastId, input, options) =>
      whenTested(input?.validate ?? options?.validate, () => sources.create(podcastId, input, options)),
    update: (id, patch, options) => whenTested(patch?.validate, () => sources.update(id, patch, options)),
    replace: (id, put, options) => whenTested(put?.validate, () => sources.replace(id, put, options)),
    async bulk(podcastId, input, options) {
      // Polls go on after the answer, so the file stays held.
      if (input?.action === 'poll') await hold.take()
      return sources.bulk(podcastId, input, options)
    },
  }
}
