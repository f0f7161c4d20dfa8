// A value for each setting of a source that is not its default, made from the table: tests that use it cover a new
// setting without a change.
import { eachSetting, type GivenSettings, type Setting, SOURCE_SETTINGS } from '../../src/domain/source-settings.ts'

export function otherThanDefault(setting: Setting): string | number | boolean {
  switch (setting.kind) {
    case 'text':
      return 'some text'
    case 'whole':
      return setting.default === setting.max ? setting.min : setting.max
    case 'boolean':
      return setting.default !== true
    case 'choice':
      return setting.choices.find((choice) => choice !== setting.default) ?? setting.choices[0]
  }
}

/** Typed like the table's values, because it is made from the same entries. */
export const OTHER_SETTINGS = eachSetting((name) => otherThanDefault(SOURCE_SETTINGS[name])) as GivenSettings
