// A progress line on a terminal. It is rewritten while work goes on, and removed at the end. Elsewhere nothing is shown.
import type { TextStream } from '../command-context.ts'

export interface Progress {
  /** Removes the line before something else is printed. */
  clear(): void
  step(failed: boolean): void
  end(): void
}

export function progressOn(screen: TextStream, total: number, quiet: boolean): Progress {
  if (!screen.isTTY || quiet || total === 0) return { clear() {}, step() {}, end() {} }
  let done = 0
  let failures = 0
  const show = () => screen.write(`\r\u001b[K${done} of ${total} polled${failures > 0 ? `, ${failures} failed` : ''}`)
  const clear = () => screen.write('\r\u001b[K')
  show()
  return {
    clear,
    step(failed) {
      done += 1
      if (failed) failures += 1
      show()
    },
    end: clear,
  }
}
