// Methods of the store about events, webhooks and their deliveries.
import { claimDeliveries, listDeadLetters, replayDeadLetters, waitingWebhooks } from '../events/deliveries.ts'
import { eventsAfter, lastEventId } from '../events/events.ts'
import { activityOf, incidentsSince } from '../events/incidents.ts'
import { hasSourceOn, queueDeliveries } from '../events/queue-deliveries.ts'
import { settleDelivery } from '../events/settle-delivery.ts'
import {
  addWebhook,
  changeNotifier,
  countDeliveries,
  getWebhook,
  listWebhooks,
  removeWebhook,
} from '../events/webhooks.ts'
import type { Bind } from './bind.ts'

export function eventMethods({ verb }: Bind) {
  return {
    eventsAfter: verb(eventsAfter),
    lastEventId: verb(lastEventId),
    hasSourceOn: verb(hasSourceOn),
    incidentsSince: verb(incidentsSince),
    activityOf: verb(activityOf),
    addWebhook: verb(addWebhook),
    getWebhook: verb(getWebhook),
    listWebhooks: verb(listWebhooks),
    changeNotifier: verb(changeNotifier),
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
