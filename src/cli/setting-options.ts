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

export interface SettingOptions {
  /** The value `default` clears the setting, and becomes null. */
  readonly orDefault?: boolean
}

export function withSettingOptions(
  command: Command,
  names: readonly SettingName[],
  { orDefault = false }: SettingOptions = {},
): Command {
  for (const name of names) {
    const option = settingOption(SOURCE_SETTINGS[name])
    if (option) command.addOption(orDefault ? acceptingDefault(option) : option)
  }
  return command
}

/** Stands for null, which commander does not keep as a value. */
const CLEARED = Symbol('default')

function acceptingDefault(option: Option): Option {
  const read = option.parseArg
  const orDefault = (text: string, previous: unknown) =>
    text === 'default' ? CLEARED : read ? read(text, previous) : text
  return option.argParser(orDefault)
}

/** The settings that the options of a command give, under their names in the API. null clears a setting. */
export function settingsIn(options: object): Readonly<Record<string, unknown>> {
  const given = new Map(Object.entries(options))
  const values = SETTING_NAMES.map((name) => {
    const key = settingOption(SOURCE_SETTINGS[name])?.attributeName()
    return [name, key === undefined ? undefined : given.get(key)] as const
  })
  const set = values.filter(([, value]) => value !== undefined)
  return Object.fromEntries(set.map(([name, value]) => [name, value === CLEARED ? null : value]))
}

/** A message of the API about settings, with the options in place of their fields. */
export function inOptionNames(message: string): string {
  return SETTING_NAMES.reduce((text, name) => {
    const option = settingOption(SOURCE_SETTINGS[name])?.long
    return option ? text.replace(new RegExp(`(^|; )${name}: `, 'gm'), `$1${option}: `) : text
  }, message)
}

function onOrOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('expected on or off.')
  return text === 'on'
}
