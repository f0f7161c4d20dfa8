// The configuration in force, and where each value comes from.
import { useState } from 'preact/hooks'
import type { ConfigItem, Listed } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { ScrollSideways } from '../../parts/scroll-sideways.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Region, Trouble } from '../../parts/small.tsx'

export function Configuration({ isAdmin }: { readonly isAdmin: boolean }) {
  const { data, problem } = useAnswer<Listed<ConfigItem>>(isAdmin ? '/config' : null)
  const [wanted, setWanted] = useState('')
  const items = (data?.items ?? []).filter(({ key }) => key.includes(wanted.toLowerCase()))
  return (
    <Region title="Configuration" class="whole">
      <Trouble problem={problem} />
      {!isAdmin && (
        <p class="hint">Your token has no admin rights. Whoever runs this Tidings sees the configuration.</p>
      )}
      {data && (
        <>
          <SearchField label="Search keys" value={wanted} placeholder="Part of a key" onSearch={setWanted} />
          <ScrollSideways name="Table of keys">
            <table class="records config">
              <thead>
                <tr>
                  <th scope="col">Key</th>
                  <th scope="col">Value</th>
                  <th scope="col">From</th>
                </tr>
              </thead>
              <tbody>
                {items.map(({ key, value, from }) => (
                  <tr key={key}>
                    <td>
                      <code>{key}</code>
                    </td>
                    <td>{typeof value === 'string' ? value : JSON.stringify(value)}</td>
                    <td class={from === 'default' ? 'soft' : ''}>{from}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollSideways>
        </>
      )}
    </Region>
  )
}
