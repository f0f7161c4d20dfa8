// The schemas of a source's settings, made from their table: what may be sent, and what is answered.
import { z } from 'zod'
import {
  eachSetting,
  type GivenSettings,
  type Setting,
  type SettingName,
  type SettingValues,
  SOURCE_SETTINGS,
} from '../../domain/source-settings.ts'
import { oneOf, text, whole, yesNo } from './fields.ts'

type Inputs = {
  readonly [N in SettingName]: z.ZodOptional<z.ZodNullable<z.ZodType<GivenSettings[N], GivenSettings[N]>>>
}
type Answers = { readonly [N in SettingName]: z.ZodType<SettingValues[N], SettingValues[N]> }

// The table's types are made from the same entries as these schemas.
export const SETTING_INPUTS = eachSetting((name) => settingInput(SOURCE_SETTINGS[name])) as unknown as Inputs
export const SETTING_ANSWERS = eachSetting((name) => settingAnswer(SOURCE_SETTINGS[name])) as unknown as Answers

/** null means the default. */
export function settingInput(setting: Setting) {
  return valueSchema(setting).nullish().describe(descriptionOf(setting))
}

export function settingAnswer(setting: Setting) {
  const answer = plainSchema(setting)
  return setting.default === null
    ? answer.nullable().describe(descriptionOf(setting))
    : answer.describe(setting.meaning)
}

function valueSchema(setting: Setting): z.ZodType {
  switch (setting.kind) {
    case 'text':
      return text(setting.maxLength, setting.what)
    case 'whole':
      return whole(setting.min, setting.max)
    case 'boolean':
      return yesNo
    case 'choice':
      return oneOf(setting.choices)
  }
}

/** Without ranges: an answer shows what is stored, also what an older version allowed. */
function plainSchema(setting: Setting): z.ZodType {
  switch (setting.kind) {
    case 'text':
      return z.string()
    case 'whole':
      return z.int()
    case 'boolean':
      return z.boolean()
    case 'choice':
      return z.enum(setting.choices)
  }
}

function descriptionOf({ meaning, whenNull }: Setting): string {
  return whenNull === undefined ? meaning : `${meaning}; null: ${whenNull}`
}
