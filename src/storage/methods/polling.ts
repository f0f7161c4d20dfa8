// Methods of the store about due sources, plans and the records of polls.
import type { PollWrite } from '../../ports/polling-store.ts'
import type { PollListeners } from '../events/poll-listeners.ts'
import { disabledPolledBefore, dueLanes, nextDueOf } from '../polling/due.ts'
import { forgetDocuments } from '../polling/forget-documents.ts'
import { knownEntries } from '../polling/known-entries.ts'
import { listAllPolls } from '../polling/list-all-polls.ts'
import { lookAtLane } from '../polling/look-at-lane.ts'
import { countOverdue, overdueSources, planSources, polledAfter, unplannedSources } from '../polling/plan-sources.ts'
import { pollDays, pollHours } from '../polling/poll-totals.ts'
import { lastPollEndedAt, listPolls } from '../polling/polls.ts'
import { addPosts, recordPoll as recordWith } from '../polling/record-poll.ts'
import { followInterval, plannedUnderCap, plannedUnderInterval } from '../polling/scan-sources.ts'
import type { Bind } from './bind.ts'

export function pollingMethods({ verb, verbByTypes }: Bind, pollListeners: PollListeners) {
  return {
    unplannedSources: verb(unplannedSources),
    overdueSources: verb(overdueSources),
    countOverdue: verb(countOverdue),
    polledAfter: verb(polledAfter),
    plannedUnderCap: verb(plannedUnderCap),
    followInterval: verb(followInterval),
    plannedUnderInterval: verb(plannedUnderInterval),
    lastPollEndedAt: verb(lastPollEndedAt),
    planSources: verb(planSources),
    disabledPolledBefore: verb(disabledPolledBefore),
    dueLanes: verb(dueLanes),
    nextDueOf: verb(nextDueOf),
    lookAtLane: verb(lookAtLane),
    knownEntries: verb(knownEntries),
    recordPoll: verb(function recordPoll(db, write: PollWrite) {
      return recordWith(db, write, pollListeners)
    }),
    addPosts: verb(addPosts),
    listPolls: verb(listPolls),
    listAllPolls: verbByTypes(listAllPolls),
    pollDays: verb(pollDays),
    pollHours: verb(pollHours),
    forgetDocuments: verb(forgetDocuments),
  }
}
