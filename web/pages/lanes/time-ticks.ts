// Round times along a range, as far apart as their labels need.
const MINUTE = 60_000
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360].map((minutes) => minutes * MINUTE)
const NARROWEST_STEP_PX = 74

interface Range {
  readonly from: number
  readonly to: number
}

/** Round in the time zone of this browser. */
export function ticksOf({ from, to }: Range, width: number): number[] {
  const step = STEPS.find((ms) => (ms / (to - from)) * width >= NARROWEST_STEP_PX) ?? 720 * MINUTE
  const offset = new Date(to).getTimezoneOffset() * MINUTE
  const first = Math.ceil((from - offset) / step) * step + offset
  return Array.from({ length: Math.ceil((to - first) / step) }, (_, index) => first + index * step)
}
