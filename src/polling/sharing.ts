// What a process needs to share the work with others through a queue: a supply of lanes, and the polls that are asked for.
import type { LaneQueue } from '../ports/lane-queue.ts'
import { LaneSupply, type LaneSupplyDeps } from './lanes/lane-supply.ts'
import type { Lanes } from './lanes/lanes.ts'
import { AskedPolls } from './poll/asked-polls.ts'
import { PollCallers, type PollCallersDeps } from './poll/poll-callers.ts'
import type { Polls } from './poll/polls.ts'

export interface Sharing {
  readonly supply: LaneSupply
  readonly callers: PollCallers
}

type Given = 'queue' | 'polls' | 'lanes' | 'askedPolls' | 'tellLane'

export interface SharingDeps extends Omit<PollCallersDeps, Given>, Omit<LaneSupplyDeps, Given> {
  readonly clock: PollCallersDeps['clock']
  readonly log: PollCallersDeps['log']
  readonly lanes: Lanes
  readonly polls: Polls
}

export function shareThrough(queue: LaneQueue, deps: SharingDeps): Sharing {
  const { log, lanes, polls } = deps
  const callers = new PollCallers({ ...deps, queue, tellLane: (lane) => supply.tell(lane) })
  const askedPolls = new AskedPolls({
    ...{ log, polls, queue: queue.askedPolls, stopping: lanes.stopping },
    onAnswer: (id, answer) => callers.answered(id, answer),
  })
  const supply: LaneSupply = new LaneSupply({ ...deps, queue, askedPolls })
  return { supply, callers }
}
