// The Store port: every method is a function in a file of its own, bound here to one database.
import type { SourceTypes } from '../domain/source-type.ts'
import type { Store } from '../ports/store.ts'
import { aggregateArticles } from './articles/aggregate-articles.ts'
import { getArticle, listArticles, markProcessed } from './articles/articles.ts'
import { cleanUp } from './clean-up/clean-up.ts'
import type { Database } from './database/db.ts'
import { Listeners } from './database/listeners.ts'
import { readMeta, writeMeta } from './database/meta.ts'
import { claimDeliveries, listDeadLetters, replayDeadLetters, waitingWebhooks } from './events/deliveries.ts'
import { eventsAfter, lastEventId } from './events/events.ts'
import { hasSourceOn, queueDeliveries } from './events/queue-deliveries.ts'
import { settleDelivery } from './events/settle-delivery.ts'
import { addWebhook, countDeliveries, getWebhook, listWebhooks, removeWebhook } from './events/webhooks.ts'
import {
  changeHost,
  claimNextTurn,
  extendLease,
  hostState,
  leaseHost,
  releaseHost,
  renewLeases,
  setHostsBack,
} from './hosts/hosts.ts'
import { noteVisit } from './hosts/lane-hours.ts'
import { hostListing, listHosts } from './hosts/list-hosts.ts'
import {
  countDueAhead,
  countGoodHosts,
  enabledRotation,
  hasSources,
  hostsThatWorked,
  laneRotation,
  probeRotation,
} from './hosts/next-probe.ts'
import { recoverHost, troubledHosts } from './hosts/recover-host.ts'
import { addPodcast, changePodcast, getPodcast, listPodcasts } from './people/podcasts.ts'
import { getSecret, putKey, removeSecret, resealSecret, secretsNotUnder } from './people/secrets.ts'
import { addToken, findToken, listTokens, removeToken, touchToken } from './people/tokens.ts'
import { addUser, getUser, listUsers, renameUser } from './people/users.ts'
import { dueLanes, nextDueOf } from './polling/due.ts'
import { forgetDocuments } from './polling/forget-documents.ts'
import { knownEntries } from './polling/known-entries.ts'
import {
  countOverdue,
  followInterval,
  overdueSources,
  plannedUnderCap,
  plannedUnderInterval,
  planSources,
  polledAfter,
  unplannedSources,
} from './polling/plan-sources.ts'
import { lastPollEndedAt, listPolls } from './polling/polls.ts'
import { addPosts, recordPoll } from './polling/record-poll.ts'
import { getCursor, lastPostId, putCursor, removeCursor } from './posts/consumer-cursors.ts'
import { followPosts } from './posts/follow-posts.ts'
import { listPosts } from './posts/list-posts.ts'
import { addSource } from './sources/add-source.ts'
import { changeSource } from './sources/change-source.ts'
import { countsOf, getSource } from './sources/get-source.ts'
import { listSources } from './sources/list-sources.ts'
import { removePodcast, removeSource, removeUser } from './sources/remove.ts'
import { lastBodyBytes, summary } from './totals/summary.ts'
import { totals } from './totals/totals.ts'

export function createStore(db: Database, version: number, types: SourceTypes): Store {
  const callEnded = new Listeners<[verb: string, seconds: number]>()
  function timed<R>(name: string, work: () => Promise<R>): Promise<R> {
    if (callEnded.isEmpty) return work()
    const startedAt = performance.now()
    return work().finally(() => callEnded.tell(name, (performance.now() - startedAt) / 1000))
  }
  function verb<A extends unknown[], R>(work: (db: Database, ...args: A) => Promise<R>) {
    return (...args: A): Promise<R> => timed(work.name, () => work(db, ...args))
  }
  /** For what depends on the source types that there are. */
  function verbByTypes<A extends unknown[], R>(work: (db: Database, types: SourceTypes, ...args: A) => Promise<R>) {
    return (...args: A): Promise<R> => timed(work.name, () => work(db, types, ...args))
  }
  return {
    engine: db.dialect.engine,
    onEventsWritten: (listener) => db.onEventsWritten(listener),
    onCallEnded: (listener) => callEnded.add(listener),
    schemaVersion: verb(async function schemaVersion() {
      return version
    }),
    ping: verb(ping),
    close: () => db.close(),
    totals: verb(totals),
    cleanUp: verb(cleanUp),

    addUser: verb(addUser),
    getUser: verb(getUser),
    listUsers: verb(listUsers),
    renameUser: verb(renameUser),
    removeUser: verb(removeUser),
    addPodcast: verb(addPodcast),
    getPodcast: verb(getPodcast),
    listPodcasts: verb(listPodcasts),
    changePodcast: verb(changePodcast),
    removePodcast: verb(removePodcast),
    addToken: verb(addToken),
    listTokens: verb(listTokens),
    findToken: verb(findToken),
    touchToken: verb(touchToken),
    removeToken: verb(removeToken),
    putKey: verb(putKey),
    resealSecret: verb(resealSecret),
    getSecret: verb(getSecret),
    removeSecret: verb(removeSecret),
    secretsNotUnder: verb(secretsNotUnder),

    addSource: verb(addSource),
    getSource: verb(getSource),
    countsOf: verb(countsOf),
    listSources: verb(listSources),
    changeSource: verb(changeSource),
    removeSource: verb(removeSource),

    unplannedSources: verb(unplannedSources),
    overdueSources: verb(overdueSources),
    countOverdue: verb(countOverdue),
    polledAfter: verb(polledAfter),
    plannedUnderCap: verb(plannedUnderCap),
    followInterval: verb(followInterval),
    plannedUnderInterval: verb(plannedUnderInterval),
    lastPollEndedAt: verb(lastPollEndedAt),
    planSources: verb(planSources),
    dueLanes: verb(dueLanes),
    nextDueOf: verb(nextDueOf),
    hostState: verb(hostState),
    leaseHost: verb(leaseHost),
    extendLease: verb(extendLease),
    releaseHost: verb(releaseHost),
    renewLeases: verb(renewLeases),
    claimNextTurn: verb(claimNextTurn),
    changeHost: verb(changeHost),
    setHostsBack: verb(setHostsBack),
    listHosts: verb(listHosts),
    hostListing: verb(hostListing),
    recoverHost: verb(recoverHost),
    troubledHosts: verb(troubledHosts),
    enabledRotation: verb(enabledRotation),
    probeRotation: verb(probeRotation),
    hasSources: verb(hasSources),
    countGoodHosts: verbByTypes(countGoodHosts),
    hostsThatWorked: verbByTypes(hostsThatWorked),
    laneRotation: verbByTypes(laneRotation),
    countDueAhead: verb(countDueAhead),
    noteVisit: verb(noteVisit),
    summary: verb(summary),
    lastBodyBytes: verb(lastBodyBytes),
    knownEntries: verb(knownEntries),
    recordPoll: verb(recordPoll),
    addPosts: verb(addPosts),
    listPolls: verb(listPolls),
    forgetDocuments: verb(forgetDocuments),
    readMeta: verb(readMeta),
    writeMeta: verb(writeMeta),

    listPosts: verb(listPosts),
    followPosts: verb(followPosts),
    lastPostId: verb(lastPostId),
    aggregateArticles: verbByTypes(aggregateArticles),
    listArticles: verb(listArticles),
    getArticle: verb(getArticle),
    markProcessed: verb(markProcessed),
    putCursor: verb(putCursor),
    getCursor: verb(getCursor),
    removeCursor: verb(removeCursor),
    eventsAfter: verb(eventsAfter),
    lastEventId: verb(lastEventId),
    hasSourceOn: verb(hasSourceOn),

    addWebhook: verb(addWebhook),
    getWebhook: verb(getWebhook),
    listWebhooks: verb(listWebhooks),
    removeWebhook: verb(removeWebhook),
    countDeliveries: verb(countDeliveries),
    queueDeliveries: verb(queueDeliveries),
    waitingWebhooks: verb(waitingWebhooks),
    claimDeliveries: verb(claimDeliveries),
    settleDelivery: verb(settleDelivery),
    listDeadLetters: verb(listDeadLetters),
    replayDeadLetters: verb(replayDeadLetters),
  }
}

async function ping(db: Database): Promise<void> {
  await db.get('SELECT 1 AS one')
}
