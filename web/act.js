// What a button does: it is busy until the answer is there and shown, and what came out is told. A busy button keeps
// the focus, so it is not disabled but deaf.
import { fromNow } from './element.js'
import { show } from './notice.js'

/** `attempt(work)` tells what goes wrong and whether nothing did; `refresh` shows what has changed. */
export function createAct(attempt, refresh) {
  return async (work, button, after = refresh) => {
    if (button.getAttribute('aria-busy') === 'true') return
    setBusy(button, true)
    show('')
    if (await attempt(async () => tell(await work()))) await after()
    setBusy(button, false)
  }
}

function setBusy(button, isBusy) {
  button.setAttribute('aria-busy', String(isBusy))
  button.setAttribute('aria-disabled', String(isBusy))
}

/** A poll's record, or where it waits; `what` was done, if not just polled. */
function tell(answer) {
  const what = answer?.what ?? 'Polled'
  if (answer?.outcome === 'success')
    show(`${what}: ${answer.created} new of ${answer.found}.${olderWords(answer)}`, 'good')
  else if (answer?.outcome) show(`${what}, ${answer.outcome} failure: ${answer.reason}`)
  else if (answer?.queuedAt) show(`Queued: ${answer.reason}${expected(answer)}.`, 'plain')
}

function expected({ expectedAt }) {
  return expectedAt && Date.parse(expectedAt) > Date.now() ? `, polled ${fromNow(expectedAt)}` : ''
}

// Of a first poll: somebody who adds a feed sees entries there, and would look for them in vain.
function olderWords({ skipped }) {
  return skipped.beforeCreated > 0 ? ` ${skipped.beforeCreated} from before it was added left out.` : ''
}
