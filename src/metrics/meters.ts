// Every figure of /metrics with its labels. Labels come from small closed sets (types, outcomes, rules, states, verbs of
// the store), never from URLs, hosts or ids. One figure has the owner as its label: what X bills to each user's key.
import { Counter, Gauge, Histogram } from './figures.ts'
import type { Figure } from './text-format.ts'

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const LAG_SECONDS = [1, 5, 15, 30, 60, 120, 300, 900, 3600]
const STORE_SECONDS = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.25, 1]

export type Meters = ReturnType<typeof createMeters>

export function figuresOf(meters: Meters): readonly Figure[] {
  return Object.values(meters)
}

export function createMeters() {
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name: `tidings_${name}`, help }, labelNames)
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name: `tidings_${name}`, help }, labelNames)
  const histogram = <L extends string>(name: string, help: string, bounds: number[], labelNames: readonly L[] = []) =>
    new Histogram({ name: `tidings_${name}`, help }, labelNames, bounds)
  return {
    polls: counter('polls_total', 'Polls by type of source, outcome and cause', ['type', 'outcome', 'trigger']),
    pollSeconds: histogram('poll_duration_seconds', 'From the first request of a poll to its record', SECONDS, [
      'type',
    ]),
    lagSeconds: histogram('poll_lag_seconds', 'How far scheduled polls started behind their plan', LAG_SECONDS),
    answers: counter('http_answers_total', 'What polls were answered, by class of status', ['answer']),
    receivedBytes: counter('http_received_bytes_total', 'Bytes of bodies received by polls, before decompression'),
    savedBytes: counter('http_saved_bytes_total', 'Bytes that a 304 saved, by the size of the last body', []),
    posts: counter('posts_created_total', 'New posts by type of source', ['type']),
    dropped: counter('entries_dropped_total', 'Entries that became no post, by the rule that dropped them', ['rule']),
    disabled: counter('sources_disabled_total', 'Sources that were disabled automatically or by people'),
    quiet: counter('sources_quiet_total', 'Sources that went quiet'),
    gaps: counter('gaps_total', 'Polls that may have missed entries because the document held only new ones'),
    breakerChanges: counter('breaker_changes_total', 'Breakers opened and closed', ['to']),
    outages: counter('outages_total', 'Outages of our own line'),

    sources: gauge('sources', 'Sources by state', ['state']),
    sourcesFailing: gauge('sources_failing', 'Enabled sources whose last poll failed'),
    sourcesQuiet: gauge('sources_quiet', 'Sources that succeed but are silent for longer than their rhythm explains'),
    sourcesDue: gauge('sources_due', 'Sources that are due now'),
    xPostsReadToday: gauge('x_posts_read_today', 'Posts that X returned today (UTC), by the user whose key it was', [
      'owner',
    ]),
    lanes: gauge('lanes', 'Hosts that were ever asked, and those that asked to be left alone', ['state']),
    queueDepth: gauge('queue_depth', 'Hosts with due work, whichever process may take them'),
    dueLagSeconds: gauge('due_lag_seconds', 'How long the sources that are due have been due', ['quantile']),
    hostsInHand: gauge('hosts_in_hand', 'Hosts that this process looks after at the moment'),
    lanesAtWork: gauge('lanes_at_work', 'Lanes with a visit under way'),
    requestsInFlight: gauge('requests_in_flight', 'Requests in flight'),
    breakers: gauge('breakers', 'Breakers that are not closed, by state', ['state']),
    outage: gauge('outage', '1 while our own line seems down'),
    schedulerRunning: gauge('scheduler_running', '1 while the scheduler runs in this process'),
    lastTick: gauge('last_tick_timestamp_seconds', 'When the last tick of this process began'),

    eventLoopDelay: gauge('event_loop_delay_seconds', 'Delay of the event loop since the last scrape', ['quantile']),
    storeSeconds: histogram('store_duration_seconds', 'Time of calls to the store by verb', STORE_SECONDS, ['verb']),
    memory: gauge('process_resident_memory_bytes', 'Resident memory of the process'),
    build: gauge('build_info', 'Always 1, labelled with the version', ['version']),
  }
}
