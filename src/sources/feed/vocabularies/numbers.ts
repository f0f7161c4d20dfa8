/** Numbers as feeds write them in attributes and elements. */

/** A whole number; null for anything else. */
export function wholeNumber(written: string | null): number | null {
  if (written === null || !/^\s*\d{1,15}\s*$/.test(written)) return null
  return Number(written)
}

/** A length of time in seconds, written as seconds or as hours, minutes and seconds with colons. */
export function secondsIn(written: string | null): number | null {
  const parts = /^\s*(?:(?:(\d{1,4}):)?(\d{1,5}):)?(\d{1,9})(?:\.\d{1,9})?\s*$/.exec(written ?? '')
  if (!parts) return null
  const [hours, minutes, seconds] = [Number(parts[1] ?? 0), Number(parts[2] ?? 0), Number(parts[3])]
  return hours * 3600 + minutes * 60 + seconds
}
