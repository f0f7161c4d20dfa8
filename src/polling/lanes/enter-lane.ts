// How a visit gets a turn at the head of a lane, or learns until when it gets none.
import { isNullLane } from '../../domain/lane.ts'
import type { Visitor } from '../../domain/owner-spacing.ts'
import { closedUntil } from '../../domain/spacing.ts'
import type { Clock } from '../../ports/clock.ts'
import type { PutOff } from '../../ports/reader.ts'
import type { Store } from '../../ports/store.ts'
import type { Lanes } from './lanes.ts'
import { afterRealTime } from './real-time.ts'
import type { Turn } from './turn.ts'

export interface EnterLaneDeps {
  readonly clock: Clock
  readonly lanes: Lanes
  readonly store: Pick<Store, 'hostState'>
}

/**
 * A turn at the head of a lane, if it comes within the given time. What the store knows (closed, spacing) is
 * judged by the clock; time spent behind another request is real time, like the limits of that request.
 */
export async function enterAtHead(
  deps: EnterLaneDeps,
  lane: string,
  visitor: Visitor,
  withinMs: number,
  signal: AbortSignal,
): Promise<{ turn: Turn } | PutOff | 'aborted'> {
  const notFree = await notFreeWithin(deps, lane, visitor, withinMs)
  if (notFree) return notFree
  const ending = AbortSignal.any([signal, deps.lanes.stopping])
  if (ending.aborted) return 'aborted'
  return new Promise((resolve, reject) => {
    const withdraw = deps.lanes.enterAtHead(lane, {
      visitor,
      run: (turn) => {
        endWaiting()
        resolve({ turn })
        return turn.left
      },
      fail: (error) => {
        endWaiting()
        reject(error)
      },
    })
    const endWaiting = (): void => {
      callOff()
      ending.removeEventListener('abort', giveUp)
    }
    const giveUp = (): void => {
      if (!withdraw()) return
      endWaiting()
      resolve(ending.aborted ? 'aborted' : waitedInVain())
    }
    const waitedInVain = async (): Promise<PutOff> => {
      const busy = { until: deps.clock.now() + withinMs, reason: `${lane} is busy`, lane, because: 'busy' as const }
      // The poll that went first may have closed the lane.
      return (await notFreeWithin(deps, lane, visitor, withinMs)) ?? busy
    }
    const callOff = afterRealTime(withinMs, giveUp)
    ending.addEventListener('abort', giveUp)
  })
}

/** If the store knows that the host cannot be asked within that time. */
async function notFreeWithin(
  { clock, store, lanes }: EnterLaneDeps,
  lane: string,
  visitor: Visitor,
  withinMs: number,
): Promise<PutOff | null> {
  const now = clock.now()
  const host = isNullLane(lane) ? null : await store.hostState(lane)
  const until = host ? (closedUntil(host, now) ?? lanes.freeFor(host, visitor, now)) : now
  return until - now > withinMs ? { until, reason: `${lane} is not free before then`, lane, because: 'not-free' } : null
}
