import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { otherThanDefault } from '../../../test/support/settings.ts'
import { type Setting, SOURCE_SETTINGS } from '../../domain/source-settings.ts'
import { newSource, SOURCE_READ_ONLY, sourcePatch, sourcePut } from './schemas.ts'
import { settingAnswer, settingInput } from './setting-schemas.ts'

const ENTRIES: [string, Setting][] = Object.entries(SOURCE_SETTINGS)
const plain = { replans: false, rereads: false, exported: true, option: null, meaning: 'how much' } as const

describe('the table of settings', () => {
  for (const [name, setting] of ENTRIES) {
    it(`${name} has a default that a person may give too, or null`, () => {
      if (setting.default === 'configured') return assert.equal(settingAnswer(setting).safeParse(null).success, false)
      assert.ok(settingInput(setting).safeParse(setting.default).success)
      assert.ok(settingAnswer(setting).safeParse(setting.default).success)
      assert.notEqual(otherThanDefault(setting), setting.default)
    })

    it(`${name} may be given when a source is made, replaced and changed, and is not read-only`, () => {
      for (const schema of [newSource, sourcePut, sourcePatch]) assert.ok(name in schema.shape)
      assert.ok(!SOURCE_READ_ONLY.includes(name))
    })
  }

  it('what polling finds out is read-only', () => {
    for (const name of ['id', 'feedUrl', 'nextPollAt', 'postCount', 'discovery'])
      assert.ok(SOURCE_READ_ONLY.includes(name))
    for (const name of ['type', 'url', 'podcastId', 'enabled']) assert.ok(!SOURCE_READ_ONLY.includes(name))
  })
})

describe('the schemas of a setting', () => {
  const choice: Setting = { ...plain, kind: 'choice', choices: ['little', 'much'], default: null, whenNull: 'little' }

  it('a choice takes its choices and null, and says which there are', () => {
    const input = settingInput(choice)
    for (const good of ['little', 'much', null, undefined]) assert.ok(input.safeParse(good).success)
    const refused = input.safeParse('more')
    assert.equal(refused.error?.issues[0]?.message, 'expected one of little, much, got "more"')
    assert.deepEqual(settingAnswer(choice).safeParse('much').success, true)
    assert.deepEqual(settingAnswer(choice).safeParse('more').success, false)
  })

  it('an answer is null only where that is the default', () => {
    assert.ok(settingAnswer(choice).safeParse(null).success)
    assert.ok(!settingAnswer({ ...choice, default: 'much' }).safeParse(null).success)
  })

  it('the description says what it means and what null stands for', () => {
    assert.equal(z.toJSONSchema(settingInput(choice)).description, 'how much; null: little')
    const flag: Setting = { ...plain, kind: 'boolean', default: false }
    assert.equal(z.toJSONSchema(settingAnswer(flag)).description, 'how much')
  })
})
