// What was typed into the settings of a source and is not saved yet. It is still there when somebody comes back to the page.
import { useEffect, useState } from 'preact/hooks'
import type { FieldValue } from './setting-values.ts'

type Changes = Readonly<Record<string, FieldValue>>

const drafts = new Map<string, Changes>()

export interface Draft {
  readonly changes: Changes
  set(name: string, value: FieldValue): void
  /** Takes back one change. */
  unset(name: string): void
  discard(): void
  /** Whatever was typed while these were saved stays. */
  saved(sent: Changes): void
}

export function useDraft(sourceId: string): Draft {
  const [changes, setChanges] = useState<Changes>(drafts.get(sourceId) ?? {})
  useEffect(() => keep(sourceId, changes), [sourceId, changes])
  return {
    changes,
    set: (name, value) => setChanges((before) => ({ ...before, [name]: value })),
    unset: (name) => setChanges(({ [name]: _before, ...others }) => others),
    discard: () => setChanges({}),
    saved(sent) {
      // The form itself may be gone: in another podcast the source has another page.
      keep(sourceId, without(drafts.get(sourceId) ?? {}, sent))
      setChanges((now) => without(now, sent))
    },
  }
}

function keep(sourceId: string, changes: Changes): void {
  if (Object.keys(changes).length === 0) drafts.delete(sourceId)
  else drafts.set(sourceId, changes)
}

function without(changes: Changes, sent: Changes): Changes {
  return Object.fromEntries(Object.entries(changes).filter(([name, value]) => !(name in sent) || sent[name] !== value))
}
