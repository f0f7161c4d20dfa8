// Imports and exports lists of sources. An import fetches nothing; an export has credentials only on request.
import { withCredentials } from '../../domain/address.ts'
import { Problem } from '../../domain/problem.ts'
import type { Source } from '../../domain/source.ts'
import { defaultSettings, type SettingName, SOURCE_SETTINGS, settingsOf } from '../../domain/source-settings.ts'
import type { GivenList } from '../../ports/documents.ts'
import type { ActingOptions } from '../acting.ts'
import { findPodcast } from '../find.ts'
import type { CatalogueParts } from '../parts.ts'
import type { ImportView } from '../shapes/answers.ts'
import type { NewSourceInput } from '../shapes/schemas.ts'
import { eachSource } from '../sources/each-source.ts'
import { importList } from './import-list.ts'
import { OPML_TAIL, type OpmlSource, opmlHead, opmlOutlines } from './opml.ts'

export interface ExportedSource extends Omit<NewSourceInput, 'validate'> {}

export interface Transfer {
  importList(podcastId: string, list: GivenList, options?: ActingOptions): Promise<ImportView>
  exportOpml(podcastId: string, options?: { readonly secrets?: boolean }): Promise<string>
  exportJson(podcastId: string, options?: { readonly secrets?: boolean }): Promise<{ sources: ExportedSource[] }>
}

export function createTransfer(parts: CatalogueParts): Transfer {
  const { store, secrets, clock, types } = parts

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
    importList: (podcastId, list, options = {}) => importList(parts, podcastId, list, options),
    async exportOpml(podcastId, { secrets: withSecrets = false } = {}) {
      const { name } = await findPodcast(store, podcastId)
      const exported: OpmlSource[] = []
      await eachSource(store, { podcastId }, async (source) => {
        const { type, url, label, title, folder } = source
        const address = await exportedUrl(source, withSecrets)
        exported.push({
          type,
          url,
          label,
          title,
          folder,
          address,
          isPage: isPage(source),
          settings: changedSettings(source),
        })
      })
      return opmlHead(name, clock.now()) + opmlOutlines(exported) + OPML_TAIL
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

const IN_OPML = new Set(['type', 'url', 'label', 'folder'])

/** What is not at its default, besides what OPML has attributes for. */
function changedSettings(source: Source): Readonly<Record<string, unknown>> {
  const defaults = { ...source, ...defaultSettings({ pollIntervalMinutes: 0 }), hasOwnInterval: false, enabled: true }
  const usual: Readonly<Record<string, unknown>> = { ...exportedSource(defaults, source.url) }
  const changed = Object.entries(exportedSource(source, source.url)).filter(
    ([name, value]) => !IN_OPML.has(name) && value !== usual[name],
  )
  return Object.fromEntries(changed)
}
