// The command-line options of a source's settings, made from their table.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { SETTING_NAMES, type Setting, type SettingName, SOURCE_SETTINGS } from '../domain/source-settings.ts'
import { wholeNumber } from './terminal/numbers.ts'

/** Null for a setting that has no option. */
export function settingOption(setting: Setting): Option | null {
  if (setting.option === null) return null
  const option = new Option(setting.option, setting.meaning)
  switch (setting.kind) {
    case 'text':
      return option
    case 'whole':
      return option.argParser(wholeNumber)
    case 'boolean':
      return option.argParser(onOrOff)
    case 'choice':
      return option.choices(setting.choices)
  }
}

export function withSettingOptions(command: Command, names: readonly SettingName[]): Command {
  for (const name of names) {
    const option = settingOption(SOURCE_SETTINGS[name])
    if (option) command.addOption(option)
  }
  return command
}

/** The settings that the options of a command give, under their names in the API. */
export function settingsIn(options: object): Readonly<Record<string, unknown>> {
  const given = new Map(Object.entries(options))
  const values = SETTING_NAMES.map((name) => {
    const key = settingOption(SOURCE_SETTINGS[name])?.attributeName()
    return [name, key === undefined ? undefined : given.get(key)] as const
  })
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

function onOrOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('expected on or off.')
  return text === 'on'
}
