// How the sources are, as one bar: at a glance for three of them as for thousands.
import type { StatusView } from '../../api/types.ts'
import { count } from '../../parts/time.tsx'

interface Part {
  readonly health: 'fine' | 'quiet' | 'failing' | 'disabled'
  readonly sources: number
}

/** The narrowest part that can still be seen, in percent. */
const NARROWEST = 1.5

export function HealthBar({ status }: { readonly status: StatusView | null }) {
  if (!status || status.totals.sources === 0) return null
  const parts = partsOf(status.totals)
  const fine = parts[0]?.sources ?? 0
  const all = status.totals.sources
  const words =
    fine === all ? (all === 1 ? 'The one source is fine' : `All ${all.toLocaleString('en')} sources are fine`) : null
  return (
    <section class="card health-bar" aria-label="Health of the sources">
      <p class="sentence">
        {words ?? `${fine.toLocaleString('en')} of ${count(all, 'source')} ${fine === 1 ? 'is' : 'are'} fine`}
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

function partsOf({ sources, quiet, failing, disabled }: StatusView['totals']): Part[] {
  return [
    { health: 'fine', sources: Math.max(0, sources - quiet - failing - disabled) },
    { health: 'quiet', sources: quiet },
    { health: 'failing', sources: failing },
    { health: 'disabled', sources: disabled },
  ]
}
