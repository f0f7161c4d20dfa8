// When a disk counts as nearly full. Pure.

export interface DiskSpace {
  readonly freeBytes: number
  readonly totalBytes: number
}

const NEEDED_BYTES = 50_000_000
const NEEDED_SHARE = 0.01

export function isNearlyFull({ freeBytes, totalBytes }: DiskSpace): boolean {
  return freeBytes < NEEDED_BYTES || freeBytes < totalBytes * NEEDED_SHARE
}
