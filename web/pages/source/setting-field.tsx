// One setting: a field of its kind, and where the value in force comes from.
import type { Setting } from '../../../src/domain/source-settings.ts'
import type { ConfigItem, SourceView } from '../../api/types.ts'
import { reasonOf } from './interval-words.ts'
import { type FieldValue, inherited, labelOf } from './setting-values.ts'

interface Props {
  readonly name: string
  readonly setting: Setting
  readonly value: FieldValue
  readonly source: SourceView
  readonly config: readonly ConfigItem[]
  onChange(value: FieldValue): void
}

export function SettingField(props: Props) {
  const { name, setting, value } = props
  return (
    <div class="setting">
      <label for={`setting-${name}`} class="name">
        {labelOf(name)}
      </label>
      <Field {...props} />
      <span class="hint">
        {setting.meaning.replace(/^./, (letter) => letter.toUpperCase())}. {originOf(props, value)}
      </span>
    </div>
  )
}

function Field({ name, setting, value, source, config, onChange }: Props) {
  const id = `setting-${name}`
  const standard = inherited(name, source, config).value ?? 'default'
  if (setting.kind === 'boolean' || setting.kind === 'choice') {
    const choices = setting.kind === 'boolean' ? ['true', 'false'] : setting.choices
    const read = (text: string): FieldValue =>
      text === '' ? null : setting.kind === 'boolean' ? text === 'true' : text
    return (
      <select
        id={id}
        value={value === null ? '' : String(value)}
        onChange={(event) => onChange(read(event.currentTarget.value))}
      >
        {(setting.default === null || value === null) && (
          <option value="">Default ({standard === 'default' ? (setting.whenNull ?? standard) : standard})</option>
        )}
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice === 'true' ? 'Yes' : choice === 'false' ? 'No' : choice}
          </option>
        ))}
      </select>
    )
  }
  const isNumber = setting.kind === 'whole'
  return (
    <input
      id={id}
      type={isNumber ? 'number' : 'text'}
      {...(isNumber ? { min: setting.min, max: setting.max } : { maxLength: setting.maxLength })}
      value={value === null ? '' : String(value)}
      placeholder={isNumber ? standard : ''}
      onInput={(event) => {
        const text = event.currentTarget.value
        onChange(text === '' ? null : isNumber ? Number(text) : text)
      }}
    />
  )
}

function originOf({ name, setting, source, config }: Props, value: FieldValue): string {
  const { value: standard, from } = inherited(name, source, config)
  if (value === null) {
    if (standard !== null) return `In force: ${standard}, from ${from}.`
    return setting.whenNull ? `In force: ${setting.whenNull}.` : 'Not set.'
  }
  if (name === 'pollIntervalMinutes' && source.effectivePollIntervalMinutes !== value)
    return `In force now: ${source.effectivePollIntervalMinutes} minutes, ${reasonOf(source) ?? 'for other reasons'}.`
  if (name === 'adaptive' && value === true && source.adaptive) return learnedWords(source)
  if (standard !== null && standard === String(value)) return `The same as ${from}.`
  return value === setting.default ? 'The default.' : 'Set on this source.'
}

function learnedWords({ learnedIntervalMinutes }: SourceView): string {
  if (learnedIntervalMinutes) return `Learned: ${learnedIntervalMinutes} minutes.`
  return 'Nothing learned yet: it takes 5 dated posts and 3 days.'
}
