// How large the store becomes, from what a row takes on PostgreSQL with its indexes. `npm run bench -- ingest` prints these
// figures for the store that it filled.

export interface StoredRows {
  readonly sources: number
  readonly hosts: number
  readonly posts: number
  readonly polls: number
  readonly laneHours: number
}

const BYTES: Readonly<Record<keyof StoredRows, number>> = {
  sources: 2600,
  hosts: 350,
  posts: 2600,
  polls: 380,
  laneHours: 330,
}

export function storeSizeOf(rows: StoredRows, days: number): string {
  const gb = (kind: keyof StoredRows): number => (rows[kind] * BYTES[kind]) / 2 ** 30
  const kinds = Object.keys(BYTES) as (keyof StoredRows)[]
  const total = kinds.reduce((sum, kind) => sum + gb(kind), 0)
  const parts = kinds.map((kind) => `${kind} ${Math.round(rows[kind])} (${gb(kind).toFixed(1)} GB)`)
  return `store after ${days} days: ${total.toFixed(1)} GB, of it ${parts.join(', ')}`
}
