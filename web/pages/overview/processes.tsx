// What runs: the scheduler of the process that answers, and others that work on the same store.
import type { StatusView } from '../../api/types.ts'
import { Region } from '../../parts/small.tsx'
import { count, When } from '../../parts/time.tsx'

export function Processes({ status }: { readonly status: StatusView | null }) {
  if (!status) return <Region title="Processes">{null}</Region>
  const { scheduler, versions, store, processes } = status
  return (
    <Region title="Processes" class="processes">
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
      </dl>
      <Alive processes={processes} />
    </Region>
  )
}

function Alive({ processes }: Pick<StatusView, 'processes'>) {
  if (processes.length === 0) return null
  return (
    <>
      <h3 class="alive">{count(processes.length, 'process', 'processes')} alive</h3>
      <ul class="rows" aria-label="Processes alive">
        {processes.map(({ id, kind, version, startedAt, hostsInHand, pollsPerMinute }) => (
          <li key={id}>
            <span title={id}>
              <b>{kind}</b> <span class="health ok">{version}</span>
              <span class="soft process">
                {count(hostsInHand, 'host')} in hand, {count(pollsPerMinute, 'poll')} a minute, started{' '}
                <When at={startedAt} none="just now" />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
