// All hosts. What is read again replaces the list when it is complete; the first time each page is shown as it comes.
import { call, eachPage } from '../../api/call.ts'
import type { HostView, Page } from '../../api/types.ts'
import { createTurns } from './in-turn.ts'

const MAX_HOSTS = 10_000
const HOUR_MS = 3_600_000

export interface HostList {
  hosts(): readonly HostView[]
  isWhole(): boolean
  read(): Promise<void>
}

export function createHostList(signal: AbortSignal, onRead: () => void): HostList {
  const inTurn = createTurns()
  let hosts: readonly HostView[] = []
  let isWhole = false

  async function read(): Promise<void> {
    // Those that are left alone stand first in the picture, so they are read first.
    const waiting = await call<Page<HostView>>('GET', '/hosts?waiting=true&limit=500', undefined, { signal })
    const known = new Set(waiting.items.map(({ host }) => host))
    const read: HostView[] = [...waiting.items]
    for await (const page of eachPage<HostView>('/hosts', {}, { signal })) {
      read.push(...page.filter(({ host }) => !known.has(host)))
      if (!isWhole) show([...read])
      if (read.length >= MAX_HOSTS) break
    }
    isWhole = true
    show(read)
  }

  function show(next: readonly HostView[]): void {
    hosts = next.filter(isInUse)
    onRead()
  }

  return { hosts: () => hosts, isWhole: () => isWhole, read: () => inTurn(read) }
}

/** A host without sources is asked only for pages behind posts and by redirects. Otherwise its sources were removed. */
function isInUse({ sources, lastRequestAt }: HostView): boolean {
  return sources > 0 || (lastRequestAt !== null && Date.parse(lastRequestAt) > Date.now() - HOUR_MS)
}
