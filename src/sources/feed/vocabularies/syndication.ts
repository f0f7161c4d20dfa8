/** The syndication module: how often a feed is updated. */
import { leaf, type Vocabulary } from './vocabulary.ts'

const updatePeriod = leaf((feed, text, _attributes, { place }) => {
  if (place === 'feed') feed.updatePeriod ??= text.value().toLowerCase() || null
})

const updateFrequency = leaf((feed, text, _attributes, { place }) => {
  const times = Number(text.value())
  if (place === 'feed' && times > 0 && Number.isFinite(times)) feed.updateFrequency ??= times
})

export const syndication: Vocabulary = { 'sy:updateperiod': updatePeriod, 'sy:updatefrequency': updateFrequency }
