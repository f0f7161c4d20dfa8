// Every setting of a source, from the server's own table of settings: its value, and what applies where it has none.
import { SETTING_NAMES, type Setting, type SettingName, SOURCE_SETTINGS } from '../../../src/domain/source-settings.ts'
import { call } from '../../api/call.ts'
import type { ConfigItem, Listed, SourceView } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useIsAdmin } from '../../frame/caller.ts'
import { tell } from '../../frame/notices.tsx'
import { useAction } from '../../parts/action.tsx'
import { Region } from '../../parts/small.tsx'
import { useDraft } from './draft.ts'
import { PodcastField } from './podcast-field.tsx'
import { SettingField } from './setting-field.tsx'
import { type FieldValue, settingOf } from './setting-values.ts'

interface Props {
  readonly source: SourceView
  readonly path: string
  onSaved(): Promise<void>
}

export function SettingsForm({ source, path, onSaved }: Props) {
  const { changes: changed, ...draft } = useDraft(source.id)
  const { isBusy, run } = useAction()
  // Where values come from is in the configuration, which only admins may read.
  const config = useAnswer<Listed<ConfigItem>>(useIsAdmin() ? '/config' : null)
  const save = async () => {
    const sent = changed
    await call('PATCH', path, sent)
    tell('good', 'Saved.')
    // Read first, so that the values of before do not show again.
    await onSaved()
    draft.saved(sent)
  }
  const set = (name: string, value: FieldValue) => {
    if (value === settingOf(source, name)) draft.unset(name)
    else draft.set(name, value)
  }
  const count = Object.keys(changed).length
  return (
    <Region title="Settings">
      <form
        class="settings"
        onSubmit={(event) => {
          event.preventDefault()
          if (count > 0) void run(save)
        }}
      >
        <div class="setting whole">
          <label for="setting-url" class="name">
            Address
          </label>
          <input
            id="setting-url"
            value={String(changed.url ?? source.url)}
            onInput={(event) => set('url', event.currentTarget.value)}
          />
          <span class="hint">Changing it clears failures; posts stay.</span>
        </div>
        <PodcastField value={String(changed.podcastId ?? source.podcastId)} onChange={(id) => set('podcastId', id)} />
        {SETTING_NAMES.map((name: SettingName) => (
          <SettingField
            key={name}
            name={name}
            setting={SOURCE_SETTINGS[name] as Setting}
            value={name in changed ? (changed[name] ?? null) : settingOf(source, name)}
            source={source}
            config={config.data?.items ?? []}
            onChange={(value) => set(name, value)}
          />
        ))}
        <div class="actions end whole">
          <button
            type="button"
            class={count > 0 ? '' : 'away'}
            onClick={({ currentTarget }) => {
              // It goes away, so the focus moves to its neighbour.
              const save = currentTarget.nextElementSibling
              draft.discard()
              if (save instanceof HTMLElement) save.focus()
            }}
          >
            Discard
          </button>
          <button type="submit" class="primary" aria-busy={isBusy} aria-disabled={count === 0}>
            Save
          </button>
        </div>
      </form>
    </Region>
  )
}
