// One line on a terminal that is rewritten while work goes on, and gone when it is done. Silent elsewhere.
import type { Screen } from './world.ts'

export interface Progress {
  step(failed: boolean): void
  end(): void
}

export function progressOn(screen: Screen, total: number, quiet: boolean): Progress {
  if (!screen.isTTY || quiet || total === 0) return { step() {}, end() {} }
  let done = 0
  let failures = 0
  const show = () => screen.write(`\r\u001b[K${done} of ${total} polled${failures > 0 ? `, ${failures} failed` : ''}`)
  show()
  return {
    step(failed) {
      done += 1
      if (failed) failures += 1
      show()
    },
    end: () => screen.write('\r\u001b[K'),
  }
}
