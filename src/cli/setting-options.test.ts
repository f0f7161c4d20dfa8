import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command } from 'commander'
import { SETTING_NAMES, type Setting } from '../domain/source-settings.ts'
import { settingOption, settingsIn, withSettingOptions } from './setting-options.ts'

const plain = { replans: false, rereads: false, exported: true, meaning: 'made up' } as const

function parsed(setting: Setting, ...args: string[]): Record<string, unknown> {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined })
  const option = settingOption(setting)
  if (option) command.addOption(option)
  return command.parse(args, { from: 'user' }).opts()
}

test('a choice takes its choices, a flag on or off, and neither takes anything else', () => {
  const choice: Setting = {
    ...plain,
    kind: 'choice',
    choices: ['little', 'much'],
    default: null,
    option: '--how <much>',
  }
  const flag: Setting = { ...plain, kind: 'boolean', default: false, option: '--bold <on or off>' }
  assert.deepEqual(parsed(choice, '--how', 'much'), { how: 'much' })
  assert.throws(() => parsed(choice, '--how', 'more'), /Allowed choices are little, much/)
  assert.deepEqual(parsed(flag, '--bold', 'off'), { bold: false })
  assert.throws(() => parsed(flag, '--bold', 'yes'), /expected on or off/)
})

test('options of a command become settings under their own names, and other options do not', () => {
  const given = { label: 'News', interval: 15, maxBackoff: 0, json: true, podcast: 'default' }
  assert.deepEqual(settingsIn(given), { label: 'News', pollIntervalMinutes: 15, maxBackoffHours: 0 })
})

test('no two settings share an option, and a setting without one has none', () => {
  // commander throws on an option that is there already.
  const { options } = withSettingOptions(new Command(), SETTING_NAMES)
  assert.ok(options.some(({ long }) => long === '--interval'))
  assert.ok(options.every(({ long }) => long))
  assert.equal(settingOption({ ...plain, kind: 'boolean', default: false, option: null }), null)
})
