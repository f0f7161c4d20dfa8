// A poll on demand, through the lane of its host, followed to its answer: a slow feed may take longer than one request
// should wait.
import { call } from './api.js'

const LOOK_AGAIN_MS = 2000
const LONGEST_MS = 90_000

export async function pollNow(path, trigger = 'manual') {
  const answer = await call('POST', `${path}/poll?wait=true&timeout=20&trigger=${trigger}`)
  if (!answer.queuedAt) return answer
  const deadline = Date.now() + LONGEST_MS
  while (Date.now() < deadline && (await call('GET', `${path}/why`)).code === 'in-flight') {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
  const [newest] = (await call('GET', `${path}/polls?limit=1`)).items
  // An older record is of another poll, and this one still waits.
  return newest && endedAt(newest) >= Date.parse(answer.queuedAt) ? newest : answer
}

function endedAt({ startedAt, durationMs }) {
  return Date.parse(startedAt) + durationMs
}
