// Loaded before a worker: its machine's clock is CLOCK_SHIFT_MS ahead.
const shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? 0)
const RealDate = Date
globalThis.Date = class extends RealDate {
  constructor(...parts) {
    super(...(parts.length > 0 ? parts : [RealDate.now() + shiftMs]))
  }

  static now() {
    return RealDate.now() + shiftMs
  }
}
