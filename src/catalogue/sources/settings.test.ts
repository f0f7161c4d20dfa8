import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tempCatalogue } from '../../../test/support/catalogue.ts'
import { OTHER_SETTINGS } from '../../../test/support/settings.ts'
import { NEVER_POLLED } from '../../domain/source.ts'
import { defaultSettings, SETTING_NAMES, SOURCE_SETTINGS, settingsOf } from '../../domain/source-settings.ts'

const MINUTE = 60_000
const FEED = { type: 'rss', url: 'https://example.org/feed' } as const

describe('every setting of the table', () => {
  it('is stored and answered as given, and goes back to its default with null or a PUT that leaves it out', async () => {
    await using catalogue = await tempCatalogue()
    const { sources, config } = catalogue
    const defaults = defaultSettings(config.source)
    const cleared = Object.fromEntries(SETTING_NAMES.map((name) => [name, null]))
    const made = await sources.create('default', { ...FEED, ...OTHER_SETTINGS })
    assert.deepEqual(settingsOf(made), OTHER_SETTINGS)
    assert.deepEqual(settingsOf(await sources.get(made.id)), OTHER_SETTINGS)
    assert.deepEqual(settingsOf(await sources.update(made.id, { enabled: false })), OTHER_SETTINGS)
    assert.deepEqual(settingsOf(await sources.update(made.id, cleared)), defaults)
    assert.deepEqual(settingsOf(await sources.update(made.id, OTHER_SETTINGS)), OTHER_SETTINGS)
    assert.deepEqual(settingsOf(await sources.replace(made.id, FEED)), defaults)
  })

  it('comes back by export and import where it is exported, else with its default', async () => {
    await using catalogue = await tempCatalogue()
    const { sources, config } = catalogue
    const { id } = await sources.create('default', { ...FEED, ...OTHER_SETTINGS })
    const list = JSON.stringify(await sources.exportJson('default'))
    await sources.remove(id)
    await sources.importList('default', { bytes: Buffer.from(list), contentType: 'application/json' })
    const { items } = await sources.list('default')
    const defaults = defaultSettings(config.source)
    for (const name of SETTING_NAMES) {
      assert.equal(items[0]?.[name], SOURCE_SETTINGS[name].exported ? OTHER_SETTINGS[name] : defaults[name], name)
    }
  })

  for (const name of SETTING_NAMES) {
    const { replans, rereads } = SOURCE_SETTINGS[name]
    it(`${name}: a change ${replans ? 'replans' : 'keeps the plan'} and ${rereads ? 'forgets' : 'keeps'} the last document`, async () => {
      await using catalogue = await tempCatalogue()
      const { id } = await catalogue.sources.create('default', FEED)
      const now = catalogue.clock.now()
      const validators = { etag: '"a"', lastModified: null }
      // No rule would plan this instant, so a plan that was made anew is told apart.
      const nextPollAt = now + 7 * MINUTE + 1
      await catalogue.learned(id, { ...NEVER_POLLED, lastPolled: now, nextPollAt, validators, bodyHash: 'abc' })
      await catalogue.sources.update(id, { [name]: OTHER_SETTINGS[name] })
      const row = await catalogue.row(id)
      assert.equal(row.nextPollAt !== nextPollAt, replans)
      assert.deepEqual([row.bodyHash, row.validators.etag], rereads ? [null, null] : ['abc', '"a"'])
      await catalogue.learned(id, { nextPollAt, validators, bodyHash: 'abc' })
      await catalogue.sources.update(id, { [name]: OTHER_SETTINGS[name] })
      const unchanged = await catalogue.row(id)
      assert.deepEqual([unchanged.nextPollAt, unchanged.bodyHash], [nextPollAt, 'abc'])
    })
  }
})
