// Imports and exports lists of sources. An import fetches nothing; an export has credentials only on request.
import { setImmediate } from 'node:timers/promises'
import { hideCredentials, withCredentials } from '../../domain/address.ts'
import { Problem } from '../../domain/problem.ts'
import { type Source, URL_CHARACTERS } from '../../domain/source.ts'
import { type SettingName, SOURCE_SETTINGS, settingsOf } from '../../domain/source-settings.ts'
import type { ActingOptions } from '../acting.ts'
import { findPodcast } from '../find.ts'
import type { CatalogueParts } from '../parts.ts'
import type { ImportView } from '../shapes/answers.ts'
import type { NewSourceInput } from '../shapes/schemas.ts'
import { eachSource } from '../sources/each-source.ts'
import type { SourceCatalogue } from '../sources/sources.ts'
import { OPML_TAIL, opmlHead, opmlOutline } from './opml.ts'
import { type GivenList, type Row, readList } from './read-list.ts'

export interface ExportedSource extends Omit<NewSourceInput, 'validate'> {}

export interface Transfer {
  importList(podcastId: string, list: GivenList, options?: ActingOptions): Promise<ImportView>
  exportOpml(podcastId: string, options?: { readonly secrets?: boolean }): Promise<string>
  exportJson(podcastId: string, options?: { readonly secrets?: boolean }): Promise<{ sources: ExportedSource[] }>
}

const ROWS_BETWEEN_PAUSES = 10

export function createTransfer(parts: CatalogueParts, sources: Pick<SourceCatalogue, 'create'>): Transfer {
  const { store, secrets, clock, types } = parts

  async function importRow(podcastId: string, row: Row, options: ActingOptions): Promise<'added' | 'skipped' | string> {
    try {
      // The catalogue checks every field, so the row may have any shape here.
      await sources.create(podcastId, { ...(row as unknown as NewSourceInput), validate: false }, options)
      return 'added'
    } catch (error) {
      if (!(error instanceof Problem) || error.status === 500) throw error
      return error.code === 'source-exists' ? 'skipped' : error.message
    }
  }

  const isPage = ({ type }: Source): boolean => types.find(type)?.document === 'page'

  async function exportedUrl(source: Source, withSecrets: boolean): Promise<string> {
    if (!withSecrets || !source.hasCredentials) return source.url
    const row = await store.getSecret('source', source.id, 'url')
    const credentials = row && (await secrets.open(row))
    // An export with secrets is a backup, and a backup must not lack any.
    if (!credentials) throw unreadable(source)
    return withCredentials(new URL(source.url), credentials).href
  }

  return {
    async importList(podcastId, list, options = {}) {
      await findPodcast(store, podcastId)
      const result: ImportView = { added: 0, skipped: 0, failed: [] }
      for (const [index, row] of readList(types, list).entries()) {
        const outcome = await importRow(podcastId, row, options)
        if (outcome === 'added' || outcome === 'skipped') result[outcome] += 1
        else
          result.failed.push({
            url: hideCredentials(String(row.url ?? '')).slice(0, URL_CHARACTERS),
            reason: outcome,
          })
        if (index % ROWS_BETWEEN_PAUSES === ROWS_BETWEEN_PAUSES - 1) await setImmediate()
      }
      return result
    },
    async exportOpml(podcastId, { secrets: withSecrets = false } = {}) {
      const parts = [opmlHead((await findPodcast(store, podcastId)).name, clock.now())]
      await eachSource(store, { podcastId }, async (source) => {
        parts.push(opmlOutline({ ...source, address: await exportedUrl(source, withSecrets), isPage: isPage(source) }))
      })
      return parts.join('') + OPML_TAIL
    },
    async exportJson(podcastId, { secrets: withSecrets = false } = {}) {
      await findPodcast(store, podcastId)
      const exported: ExportedSource[] = []
      await eachSource(store, { podcastId }, async (source) => {
        exported.push(exportedSource(source, await exportedUrl(source, withSecrets)))
      })
      return { sources: exported }
    },
  }
}

function unreadable({ url }: Source): Problem {
  return new Problem(
    'secrets-unavailable',
    `The credentials of ${url} cannot be read with the master key that is set. Set the master key that they were stored with, set the credentials again, or export without secrets.`,
  )
}

function exportedSource(source: Source, url: string): ExportedSource {
  const { type, enabled, hasOwnInterval, pollIntervalMinutes } = source
  const settings = Object.entries(settingsOf(source)).filter(([name]) => SOURCE_SETTINGS[name as SettingName].exported)
  return {
    ...{ type, url, ...Object.fromEntries(settings), enabled },
    // The importing side has an interval of its own configured.
    pollIntervalMinutes: hasOwnInterval ? pollIntervalMinutes : null,
  }
}
