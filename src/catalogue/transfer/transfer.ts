// Sources in and out by the list. Importing never fetches; exporting shows credentials only when asked to.
import { setImmediate } from 'node:timers/promises'
import { withCredentials } from '../../domain/address.ts'
import { Problem } from '../../domain/problem.ts'
import { type Source, URL_CHARACTERS } from '../../domain/source.ts'
import { type SettingName, SOURCE_SETTINGS, settingsOf } from '../../domain/source-settings.ts'
import type { ActingOptions } from '../acting.ts'
import { findPodcast } from '../find.ts'
import type { CatalogueParts } from '../parts.ts'
import type { ImportView } from '../shapes/answers.ts'
import type { NewSourceInput } from '../shapes/schemas.ts'
import { withoutCredentials } from '../shapes/validate.ts'
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

const ROWS_AT_ONCE = 10

export function createTransfer(parts: CatalogueParts, sources: Pick<SourceCatalogue, 'create'>): Transfer {
  const { store, secrets, clock, types } = parts

  async function importRow(podcastId: string, row: Row, options: ActingOptions): Promise<'added' | 'skipped' | string> {
    try {
      // The catalogue judges every field; that a row has the right shape is its answer, not our assumption.
      await sources.create(podcastId, { ...(row as unknown as NewSourceInput), validate: false }, options)
      return 'added'
    } catch (error) {
      if (!(error instanceof Problem) || error.status === 500) throw error
      return error.code === 'source-exists' ? 'skipped' : error.message
    }
  }

  const isPage = ({ type }: Source): boolean => types.find(type)?.document === 'page'

  async function shownUrl(source: Source, withSecrets: boolean): Promise<string> {
    if (!withSecrets || !source.hasCredentials) return source.url
    const row = await store.getSecret('source', source.id, 'url')
    const credentials = row && (await secrets.open(row))
    // Who asks for secrets makes a backup: one that lacks some would be found out when it is too late.
    if (!credentials) throw unreadable(source)
    return withCredentials(new URL(source.url), credentials).href
  }

  return {
    async importList(podcastId, list, options = {}) {
      await findPodcast(store, podcastId)
      const told: ImportView = { added: 0, skipped: 0, failed: [] }
      for (const [index, row] of readList(types, list).entries()) {
        const result = await importRow(podcastId, row, options)
        if (result === 'added' || result === 'skipped') told[result] += 1
        else
          told.failed.push({ url: withoutCredentials(String(row.url ?? '')).slice(0, URL_CHARACTERS), reason: result })
        if (index % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await setImmediate()
      }
      return told
    },
    async exportOpml(podcastId, { secrets: withSecrets = false } = {}) {
      const parts = [opmlHead((await findPodcast(store, podcastId)).name, clock.now())]
      await eachSource(store, { podcastId }, async (source) => {
        parts.push(opmlOutline({ ...source, address: await shownUrl(source, withSecrets), isPage: isPage(source) }))
      })
      return parts.join('') + OPML_TAIL
    },
    async exportJson(podcastId, { secrets: withSecrets = false } = {}) {
      await findPodcast(store, podcastId)
      const exported: ExportedSource[] = []
      await eachSource(store, { podcastId }, async (source) => {
        exported.push(exportedSource(source, await shownUrl(source, withSecrets)))
      })
      return { sources: exported }
    },
  }
}

function unreadable({ url }: Source): Problem {
  return new Problem(
    'secrets-unavailable',
    `The credentials of ${url} cannot be read with the master key that is set. Give back the one they were stored under, set them anew, or export without secrets.`,
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
