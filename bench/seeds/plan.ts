// What a seed stands for: how large its world is, how long it is watched, and what may go wrong in it. Everything can be
// said on the command line, so that a shrunk world can be run again.
import { pick, streamOf, wholeBetween } from '../seeded.ts'

export const FAULTS = [
  /** Hosts answer 403, 404, 410, 500 or 503, or with something that is no feed. */
  'status',
  /** 429 and 503 with and without Retry-After, and quotas that are spent. */
  'throttle',
  /** Answers take up to a minute, or never come. */
  'slow',
  /** Connections are reset or refused. */
  'reset',
  /** To another path or another host, for now or for good. */
  'redirect',
  /** Names do not exist for a while, or the name server fails. */
  'dns',
  /** Our own connection is down. */
  'outage',
  /** Our clock jumps by hours, both ways. */
  'clock',
  /** The disk is full for a while, or one statement fails. */
  'store',
  /** The process dies between any two statements. */
  'crash',
  /** The reader of documents hangs or dies. */
  'reader',
  /** People add, remove, change, enable, poll, validate and aggregate meanwhile. */
  'people',
] as const
export type Fault = (typeof FAULTS)[number]

export interface SeedPlan {
  readonly seed: number
  readonly hosts: number
  readonly sources: number
  /** How long things may go wrong, in simulated minutes. A calm time follows in which all must recover. */
  readonly minutes: number
  readonly faults: readonly Fault[]
}

export function planOf(seed: number, given: Partial<SeedPlan> = {}): SeedPlan {
  const chance = streamOf(seed, 'plan')
  const hosts = wholeBetween(chance, 1, 5)
  const sources = wholeBetween(chance, 2, 9)
  const minutes = pick(chance, [150, 300, 600])
  const faults = FAULTS.filter(() => chance() < 0.55)
  return { seed, hosts, sources, minutes, faults, ...given }
}

/** How to run exactly this again. */
export function commandOf({ seed, hosts, sources, minutes, faults }: SeedPlan): string {
  const size = `--hosts ${hosts} --sources ${sources} --minutes ${minutes}`
  return `npm run simulate -- seeds --seed ${seed} ${size} --faults ${faults.join(',') || 'none'}`
}

export function faultsFrom(text: string): Fault[] {
  const named = text === 'none' ? [] : text.split(',')
  return named.map((name) => {
    const fault = FAULTS.find((one) => one === name)
    if (!fault) throw new Error(`there is no fault ${name}; there are ${FAULTS.join(', ')}`)
    return fault
  })
}
