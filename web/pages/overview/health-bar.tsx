// The verdict: whether somebody is needed, and how the sources are, for three of them as for thousands.
import type { StatusView } from '../../api/types.ts'
import { count } from '../../parts/time.tsx'
import type { Troubles } from './troubles.ts'

interface Part {
  readonly health: 'fine' | 'quiet' | 'failing' | 'disabled'
  readonly sources: number
}

/** The narrowest part that can still be seen, in percent. */
const NARROWEST = 1.5

interface Props {
  readonly status: StatusView | null
  readonly troubles: Troubles
}

export function HealthBar({ status, troubles }: Props) {
  if (!status || status.totals.sources === 0) return null
  const parts = partsOf(status.totals)
  const all = status.totals.sources
  const fine = fineWords(parts[0]?.sources ?? 0, all)
  return (
    <section class={`card health-bar ${troubles.count > 0 ? 'needs' : ''}`} aria-label="Health of the sources">
      <p class="verdict">
        {troubles.count > 0 && <b>{needWords(troubles)}</b>}
        <span>{fine}</span>
      </p>
      <div class="bar" aria-hidden="true">
        {parts.map(({ health, sources }) =>
          sources > 0 ? (
            <i key={health} class={health} style={{ flexGrow: Math.max(sources, (all * NARROWEST) / 100) }} />
          ) : null,
        )}
      </div>
      <ul class="parts">
        {parts.slice(1).map(({ health, sources }) => (
          <li key={health} class={sources > 0 ? health : 'none'}>
            <a href={`/sources?health=${health}`}>
              <b>{sources.toLocaleString('en')}</b> {health}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function fineWords(fine: number, all: number): string {
  if (fine === all) return all === 1 ? 'The one source is fine' : `All ${all.toLocaleString('en')} sources are fine`
  return `${fine.toLocaleString('en')} of ${count(all, 'source')} ${fine === 1 ? 'is' : 'are'} fine`
}

function needWords({ count: troubles, isCut }: Troubles): string {
  if (isCut) return `More than ${count(troubles, 'thing')} need you`
  return troubles === 1 ? 'One thing needs you' : `${troubles} things need you`
}

function partsOf({ sources, quiet, failing, disabled }: StatusView['totals']): Part[] {
  return [
    { health: 'fine', sources: Math.max(0, sources - quiet - failing - disabled) },
    { health: 'quiet', sources: quiet },
    { health: 'failing', sources: failing },
    { health: 'disabled', sources: disabled },
  ]
}
