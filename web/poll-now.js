// Polls a source on demand and waits for the result. A slow feed may take longer than one request should wait.
/** @import { Page, PollAnswer, PollView, WhyView } from './types.d.ts' */
import { call } from './api.js'

const ASK_AGAIN_MS = 2000
const MAX_WAIT_MS = 90_000

/**
 * @param {string} path of the source
 * @param {'manual' | 'create'} [trigger]
 * @returns {Promise<PollAnswer>}
 */
export async function pollNow(path, trigger = 'manual') {
  /** @type {PollAnswer} */
  const answer = await call('POST', `${path}/poll?wait=true&timeout=20&trigger=${trigger}`)
  if (!('queuedAt' in answer)) return answer
  const deadline = Date.now() + MAX_WAIT_MS
  while (Date.now() < deadline && (await isInFlight(path))) {
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
  }
  /** @type {Page<PollView>} */
  const { items } = await call('GET', `${path}/polls?limit=1`)
  const newest = items[0]
  // An older record belongs to another poll, and this one still waits.
  return newest && endedAt(newest) >= Date.parse(answer.queuedAt) ? newest : answer
}

/** @param {string} path */
async function isInFlight(path) {
  /** @type {WhyView} */
  const why = await call('GET', `${path}/why`)
  return why.code === 'in-flight'
}

/** @param {PollView} poll */
function endedAt({ startedAt, durationMs }) {
  return Date.parse(startedAt) + durationMs
}
