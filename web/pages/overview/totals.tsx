// The figures at the top. Each leads to what it counts.
import type { StatusView } from '../../api/types.ts'

const SHOWN: readonly [keyof StatusView['totals'], string, string][] = [
  ['sources', 'sources', '/sources'],
  ['posts', 'posts', '/posts'],
  ['articles', 'articles', '/articles'],
  ['hosts', 'hosts', '/lanes'],
  ['due', 'due now', '/lanes'],
]

export function Totals({ status }: { readonly status: StatusView | null }) {
  return (
    <ul class="totals" aria-label="Totals">
      {SHOWN.map(([field, name, path]) => {
        const value = status?.totals[field]
        return (
          <li key={field}>
            <a href={path}>
              <b>{value === undefined ? '–' : value.toLocaleString('en')}</b>
              <span>{name}</span>
            </a>
          </li>
        )
      })}
    </ul>
  )
}
