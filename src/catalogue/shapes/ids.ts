// Ids that sort in the order they were made, like UUID version 7. The rows of an import keep their order in lists, even
// when they were made in the same millisecond.
// See docs/decisions/0052-uuid-v7-for-creation-order.md
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../ports/clock.ts'

const PER_MILLISECOND = 4096

export function createIds(clock: Pick<Clock, 'now'>): () => string {
  let at = 0
  let count = 0
  return () => {
    const now = clock.now()
    count = now > at ? 0 : count + 1
    at = Math.max(now, at)
    if (count === PER_MILLISECOND) {
      at += 1
      count = 0
    }
    const time = at.toString(16).padStart(12, '0')
    const random = randomBytes(8)
    random.writeUInt8(0x80 | (random.readUInt8(0) & 0x3f), 0)
    const rest = random.toString('hex')
    return `${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, '0')}-${rest.slice(0, 4)}-${rest.slice(4)}`
  }
}
