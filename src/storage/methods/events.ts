// Methods of the store about events, webhooks and their deliveries.
import { claimDeliveries, listDeadLetters, replayDeadLetters, waitingWebhooks } from '../events/deliveries.ts'
import { eventsAfter, lastEventId, lastRemovedEventId } from '../events/events.ts'
import { activityOf, incidentsSince } from '../events/incidents.ts'
import { hasSourceOn, queueDeliveries } from '../events/queue-deliveries.ts'
import { endTest, receiversInUse, takeTestPlace } from '../events/receiver-hosts.ts'
import { settleDelivery } from '../events/settle-delivery.ts'
import { listSummaries } from '../events/summaries.ts'
import {
  addWebhook,
  changeNotifier,
  countDeliveries,
  getWebhook,
  lastDeliveryError,
  listWebhooks,
  removeWebhook,
} from '../events/webhooks.ts'
import type { Bind } from './bind.ts'

export function eventMethods({ verb }: Bind) {
  return {
    eventsAfter: verb(eventsAfter),
    lastEventId: verb(lastEventId),
    lastRemovedEventId: verb(lastRemovedEventId),
    hasSourceOn: verb(hasSourceOn),
    incidentsSince: verb(incidentsSince),
    activityOf: verb(activityOf),
    listSummaries: verb(listSummaries),
    addWebhook: verb(addWebhook),
    getWebhook: verb(getWebhook),
    listWebhooks: verb(listWebhooks),
    changeNotifier: verb(changeNotifier),
    removeWebhook: verb(removeWebhook),
    countDeliveries: verb(countDeliveries),
    lastDeliveryError: verb(lastDeliveryError),
    queueDeliveries: verb(queueDeliveries),
    waitingWebhooks: verb(waitingWebhooks),
    claimDeliveries: verb(claimDeliveries),
    settleDelivery: verb(settleDelivery),
    receiversInUse: verb(receiversInUse),
    takeTestPlace: verb(takeTestPlace),
    endTest: verb(endTest),
    listDeadLetters: verb(listDeadLetters),
    replayDeadLetters: verb(replayDeadLetters),
  }
}
