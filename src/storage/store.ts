// The Store port over a database: every verb is a function of its own, bound here to one database.
import type { Store } from '../ports/store.ts'
import { addSource } from './add-source.ts'
import { aggregateArticles } from './aggregate-articles.ts'
import { addArticles, getArticle, listArticles, markProcessed } from './articles.ts'
import { changeSource } from './change-source.ts'
import { cleanUp } from './clean-up.ts'
import { getCursor, lastPostId, putCursor, removeCursor } from './cursors.ts'
import type { Database } from './db.ts'
import { claimDeliveries, listDeadLetters, replayDeadLetters, waitingWebhooks } from './deliveries.ts'
import { dueLanes, nextDueAt, nextDueOf } from './due.ts'
import { addEvents, eventsAfter, lastEventId } from './events.ts'
import { followPosts } from './follow-posts.ts'
import { forgetDocuments } from './forget-documents.ts'
import { countsOf, getSource } from './get-source.ts'
import { changeHost, hostState, keepHost, leaveHost, renewHolds, setHostsBack, takeHost, wantHost } from './hosts.ts'
import { knownEntries } from './known-entries.ts'
import { hostDays, noteVisit } from './lane-hours.ts'
import { hostListing, listHosts } from './list-hosts.ts'
import { getPost, listPosts, postsAfter } from './list-posts.ts'
import { listSources } from './list-sources.ts'
import { readMeta, writeMeta } from './meta.ts'
import {
  countOverdue,
  followInterval,
  overdueSources,
  plannedUnderCap,
  plannedUnderInterval,
  planSources,
  polledAfter,
  unplannedSources,
} from './plan-sources.ts'
import { addPodcast, changePodcast, getPodcast, listPodcasts } from './podcasts.ts'
import { lastPollEndedAt, listPolls } from './polls.ts'
import {
  countDueAhead,
  countGoodHosts,
  enabledInTurn,
  hasSources,
  hostsThatWorked,
  lanesInTurn,
  probersInTurn,
} from './probe-turns.ts'
import { hasSourceOn, queueDeliveries } from './queue-deliveries.ts'
import { addPosts, recordPoll } from './record-poll.ts'
import { recoverHost, troubledHosts } from './recover-host.ts'
import { removePodcast, removeSource, removeUser } from './remove.ts'
import { anySecret, getSecret, putKey, removeSecret, resealSecret, secretsNotUnder } from './secrets.ts'
import { settleDelivery } from './settle-delivery.ts'
import { lastBodyBytes, summary } from './summary.ts'
import { addToken, findToken, listTokens, removeToken, touchToken } from './tokens.ts'
import { totals } from './totals.ts'
import { addUser, getUser, listUsers, renameUser } from './users.ts'
import { addWebhook, countDeliveries, getWebhook, listWebhooks, removeWebhook } from './webhooks.ts'

export function storeOver(db: Database, schemaVersion: number): Store {
  const verb =
    <A extends unknown[], R>(work: (db: Database, ...args: A) => R) =>
    (...args: A): R =>
      work(db, ...args)
  return {
    engine: db.dialect.engine,
    schemaVersion: async () => schemaVersion,
    ping: async () => void (await db.get('SELECT 1 AS one')),
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
    anySecret: verb(anySecret),

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
    nextDueAt: verb(nextDueAt),
    hostState: verb(hostState),
    takeHost: verb(takeHost),
    keepHost: verb(keepHost),
    leaveHost: verb(leaveHost),
    renewHolds: verb(renewHolds),
    wantHost: verb(wantHost),
    changeHost: verb(changeHost),
    setHostsBack: verb(setHostsBack),
    listHosts: verb(listHosts),
    hostListing: verb(hostListing),
    recoverHost: verb(recoverHost),
    troubledHosts: verb(troubledHosts),
    enabledInTurn: verb(enabledInTurn),
    probersInTurn: verb(probersInTurn),
    hasSources: verb(hasSources),
    countGoodHosts: verb(countGoodHosts),
    hostsThatWorked: verb(hostsThatWorked),
    lanesInTurn: verb(lanesInTurn),
    countDueAhead: verb(countDueAhead),
    noteVisit: verb(noteVisit),
    hostDays: verb(hostDays),
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
    getPost: verb(getPost),
    postsAfter: verb(postsAfter),
    followPosts: verb(followPosts),
    lastPostId: verb(lastPostId),
    aggregateArticles: verb(aggregateArticles),
    addArticles: verb(addArticles),
    listArticles: verb(listArticles),
    getArticle: verb(getArticle),
    markProcessed: verb(markProcessed),
    putCursor: verb(putCursor),
    getCursor: verb(getCursor),
    removeCursor: verb(removeCursor),
    eventsAfter: verb(eventsAfter),
    lastEventId: verb(lastEventId),
    addEvents: verb(addEvents),
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
