// What robots.txt of a host said when it was last asked.
import type { RobotsAnswer } from '../../domain/robots.ts'
import { codecOf } from '../database/columns.ts'
import type { Db } from '../database/db.ts'

const codec = codecOf<RobotsAnswer>({
  host: ['host', 'text'],
  askedAt: ['asked_at', 'integer'],
  kind: ['kind', 'text'],
  text: ['text', 'text'],
})

export async function robotsOf(db: Db, host: string): Promise<RobotsAnswer | null> {
  const row = await db.get('SELECT * FROM robots WHERE host = ?', [host])
  return row ? codec.read(row) : null
}

export async function putRobots(db: Db, answer: RobotsAnswer): Promise<void> {
  const { columns, params } = codec.write(answer)
  await db.run(
    `INSERT INTO robots (${columns.join(', ')}) VALUES (?, ?, ?, ?)
     ON CONFLICT (host) DO UPDATE SET asked_at = excluded.asked_at, kind = excluded.kind, text = excluded.text`,
    params,
  )
}
