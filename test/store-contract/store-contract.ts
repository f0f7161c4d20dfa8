// What every store keeps, on whatever engine: one suite, run unchanged on each.
import { describe } from 'node:test'
import { cleanUpContract } from './clean-up.ts'
import { consumersContract } from './consumers.ts'
import { dailySummaryContract } from './daily-summary.ts'
import { checkWith, type Opener } from './fixtures.ts'
import { forecastSourcesContract } from './forecast-sources.ts'
import { hostHealthContract } from './host-health.ts'
import { htmlBundlesContract } from './html-bundles.ts'
import { largeStoresContract } from './large-stores.ts'
import { limitsContract } from './limits.ts'
import { newPostsAsReadContract } from './new-posts-as-read.ts'
import { peopleContract } from './people.ts'
import { pollTotalsContract } from './poll-totals.ts'
import { pollingContract } from './polling.ts'
import { recordPollContract } from './record-poll.ts'
import { sameRulesContract } from './same-rules.ts'
import { sortedSourcesContract } from './sorted-sources.ts'
import { sourcesContract } from './sources.ts'
import { storedBytesContract } from './stored-bytes.ts'
import { unchangedPollContract } from './unchanged-poll.ts'

export function storeContract(name: string, open: Opener): void {
  const check = checkWith(open)
  describe(`${name}: people`, () => peopleContract(check))
  describe(`${name}: limits`, () => limitsContract(check))
  describe(`${name}: what is stored`, () => storedBytesContract(check))
  describe(`${name}: sources`, () => sourcesContract(check))
  describe(`${name}: orders of sources`, () => sortedSourcesContract(check))
  describe(`${name}: what large stores keep`, () => largeStoresContract(check))
  describe(`${name}: what a forecast reads`, () => forecastSourcesContract(check))
  describe(`${name}: polling`, () => pollingContract(check))
  describe(`${name}: recording a poll`, () => recordPollContract(check))
  describe(`${name}: polls that found nothing`, () => unchangedPollContract(check))
  describe(`${name}: new posts of rows as they were read`, () => newPostsAsReadContract(check))
  describe(`${name}: totals and lists of polls`, () => pollTotalsContract(check))
  describe(`${name}: health of hosts`, () => hostHealthContract(check))
  describe(`${name}: rules that SQL repeats`, () => sameRulesContract(check))
  describe(`${name}: consumers`, () => consumersContract(check))
  describe(`${name}: HTML of posts`, () => htmlBundlesContract(check))
  describe(`${name}: daily summaries`, () => dailySummaryContract(check))
  describe(`${name}: clean-up`, () => cleanUpContract(check))
}
