// What runs: the scheduler of the process that answers, and others that work on the same store.
import type { StatusView } from '../../api/types.ts'
import { Region } from '../../parts/small.tsx'
import { When } from '../../parts/time.tsx'

export function Processes({ status }: { readonly status: StatusView | null }) {
  if (!status) return <Region title="Processes">{null}</Region>
  const { scheduler, versions, store, processes = [] } = status
  return (
    <Region title="Processes">
      <dl class="facts">
        <dt>Scheduler</dt>
        <dd>
          <span class={`health ${scheduler.running ? 'ok' : 'disabled'}`}>
            {scheduler.running ? 'running' : 'not in this process'}
          </span>
        </dd>
        <dt>Last tick</dt>
        <dd>
          <When at={scheduler.lastTickAt} />
        </dd>
        <dt>Next tick</dt>
        <dd>
          <When at={scheduler.nextTickAt} none="–" />
        </dd>
        <dt>Requests in flight</dt>
        <dd>{scheduler.requestsInFlight}</dd>
        <dt>Lanes at work</dt>
        <dd>{scheduler.lanesAtWork}</dd>
        <dt>Version</dt>
        <dd>
          Tidings {versions.tidings}, {store.engine}
        </dd>
        {processes.map(({ id, kind, lastSeenAt }) => (
          <>
            <dt>{kind ?? 'Process'}</dt>
            <dd>
              {id} <When at={lastSeenAt} none="" />
            </dd>
          </>
        ))}
      </dl>
    </Region>
  )
}
