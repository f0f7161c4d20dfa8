// Which Tidings this is, and what it runs on.
import type { StatusView } from '../../api/types.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Region, Trouble } from '../../parts/small.tsx'
import { inFull } from '../../parts/time.tsx'

export function About() {
  const { data, problem } = useAnswer<StatusView>('/status')
  return (
    <Region title="About">
      <Trouble problem={problem} />
      {data && (
        <dl class="facts">
          <dt>Version</dt>
          <dd>Tidings {data.versions.tidings}</dd>
          <dt>Node</dt>
          <dd>{data.versions.node}</dd>
          <dt>Store</dt>
          <dd>{data.store.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}</dd>
          <dt>Migrations</dt>
          <dd>{data.versions.schema}</dd>
          <dt>Time on the server</dt>
          <dd>{inFull(data.now)}</dd>
          <dt>API</dt>
          <dd>
            <a href="/docs">Description</a>, <a href="/openapi.json">OpenAPI</a>, <a href="/metrics">metrics</a>
          </dd>
        </dl>
      )}
    </Region>
  )
}
