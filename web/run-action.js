// Runs what a button does. The button is busy until the answer is shown. A busy button keeps the focus, so it is marked
// as disabled instead of being disabled.
/** @import { PollAnswer, PollView, QueuedView, RunAction } from './types.d.ts' */
import { fromNow } from './element.js'
import { show } from './notice.js'

/**
 * @param {(work: () => Promise<void>) => Promise<boolean>} attempt shows what goes wrong; true when all went well
 * @param {() => Promise<void>} refresh
 * @returns {RunAction}
 */
export function createRunAction(attempt, refresh) {
  return async (work, button, afterwards = refresh) => {
    if (button.getAttribute('aria-busy') === 'true') return
    setBusy(button, true)
    show('')
    if (await attempt(async () => tell(await work()))) await afterwards()
    setBusy(button, false)
  }
}

/** @param {HTMLElement} button @param {boolean} isBusy */
function setBusy(button, isBusy) {
  button.setAttribute('aria-busy', String(isBusy))
  button.setAttribute('aria-disabled', String(isBusy))
}

/** Tells the result of a poll; other actions show in the lists. @param {unknown} result */
function tell(result) {
  if (typeof result !== 'object' || result === null) return
  const answer = /** @type {PollAnswer} */ (result)
  const what = answer.what ?? 'Polled'
  if ('queuedAt' in answer) show(`Queued: ${answer.reason}${expected(answer)}.`, 'plain')
  else if (answer.outcome === 'success')
    show(`${what}: ${answer.created} new of ${answer.found}.${olderWords(answer)}`, 'good')
  else if (answer.outcome) show(`${what}, ${answer.outcome} failure: ${answer.reason}`)
}

/** @param {QueuedView} queued */
function expected({ expectedAt }) {
  return Date.parse(expectedAt) > Date.now() ? `, polled ${fromNow(expectedAt)}` : ''
}

/** Explains after a first poll why entries that the feed shows are missing here. @param {PollView} poll */
function olderWords({ skipped }) {
  return skipped.beforeCreated > 0 ? ` ${skipped.beforeCreated} from before it was added left out.` : ''
}
