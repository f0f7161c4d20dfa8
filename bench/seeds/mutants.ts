// The engine with a fault put into it on purpose. The seeded worlds must notice each of them, or they prove nothing.

export interface Mutant {
  readonly name: string
  /** Of src/. */
  readonly file: string
  readonly find: string
  readonly replace: string
  /** Where the engine has a second way out: that one is closed, too. */
  readonly also?: { readonly find: string; readonly replace: string }
  /** The worlds from this one on are tried. It was noticed in this one when the mutant was written. */
  readonly seed: number
}

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'no host gets any spacing',
    file: 'polling/visit/visit-delay.ts',
    find: 'const delay = { ownMs: own === null ? null : own * 1000, othersMs, type }',
    replace: 'const delay = { ownMs: 0, othersMs: 0, type }',
    seed: 1,
  },
  {
    name: 'spacing is not reserved before a request, so that a crash loses it',
    file: 'polling/coordination/alone.ts',
    find: 'const isReserved = needsSpacing(visit)',
    replace: 'const isReserved = false && needsSpacing(visit)',
    seed: 40,
  },
  {
    name: 'spacing counts from the start of a request, not from its end',
    file: 'polling/hosts/host-effects.ts',
    find: '...spacingAfter(host, userId, delay, completedAt)',
    replace: '...spacingAfter(host, userId, delay, visited.startedAt)',
    seed: 1,
  },
  {
    name: 'Retry-After is not kept to',
    file: 'polling/lanes/close-lane.ts',
    find: 'const throttled = closingAfter(host, { status, hint: retryHint({ now, status, headers }) }, now, capMs)',
    replace:
      'const throttled = false ? closingAfter(host, { status, hint: retryHint({ now, status, headers }) }, now, capMs) : null',
    seed: 2,
  },
  {
    name: 'a spent quota is not kept to',
    file: 'polling/lanes/close-lane.ts',
    find: "quota?.kind === 'leave-alone'",
    replace: "false && quota?.kind === 'leave-alone'",
    seed: 2,
  },
  {
    name: 'a lane gives the next turn before the one before is over',
    file: 'polling/lanes/lanes.ts',
    find: 'await turn.left\n',
    replace: 'await new Promise((resolve) => setImmediate(resolve))\n',
    seed: 7,
  },
  {
    name: 'a corrected entry is stored as a new one',
    file: 'domain/choose.ts',
    find: "&& isEdit(candidate, memory)) return 'edited'",
    replace: "&& false && isEdit(candidate, memory)) return 'edited'",
    seed: 1,
  },
  {
    name: 'the oldest new post of a poll is forgotten',
    file: 'polling/poll/record-findings.ts',
    find: 'posts: findings.posts.slice(ahead.offered)',
    replace: 'posts: findings.posts.slice(ahead.offered + 1)',
    seed: 1,
  },
  {
    name: 'a document is taken for read although its reader failed',
    file: 'polling/poll/findings.ts',
    find: "case 'unreadable':",
    replace:
      "case 'unreadable':\n      if (read.failure.code.startsWith('reader')) return findingsOf(deps, source, { kind: 'unchanged', answer: read.answer }, startedAt)",
    seed: 12,
  },
  {
    name: 'failures are not counted',
    file: 'domain/health.ts',
    find: 'consecutiveFailures: source.consecutiveFailures + 1',
    replace: 'consecutiveFailures: source.consecutiveFailures + 0',
    seed: 1,
  },
  {
    name: 'failures that pass by themselves disable a source',
    file: 'domain/health.ts',
    find: "failureClass === 'permanent' ? [",
    replace: 'failureClass !== undefined ? [',
    seed: 11,
  },
  {
    name: 'a poll that could not be recorded is never made again',
    file: 'polling/engine-parts.ts',
    find: 'polls.retryUnrecorded()',
    replace: 'void polls',
    seed: 3,
  },
  {
    name: 'why says that a source is polled ten minutes later than it is',
    file: 'domain/explain.ts',
    find: 'expectedAt,\n    code,',
    replace: 'expectedAt: expectedAt && expectedAt + 600_000,\n    code,',
    seed: 1,
  },
  {
    name: 'a breaker stays half-open when a crash cuts its probe short',
    file: 'domain/breaker.ts',
    find: 'return probingSince !== null && probingSince < startedAt',
    replace: 'return false && probingSince !== null && probingSince < startedAt',
    also: { find: 'return outForMs >= PROBE_LOST_MS || outForMs < 0', replace: 'return outForMs < 0' },
    seed: 22,
  },
  {
    name: 'a lane asks again without a pause after spacing from before the clock was set back',
    file: 'polling/lanes/unwritten-spacing.ts',
    find: 'if (kept.keptAt <= this.#clock.now() + AT_ONCE_MS) return kept.notBefore',
    replace: 'if (kept.keptAt <= this.#clock.now() + AT_ONCE_MS || kept) return kept.notBefore',
    seed: 138307,
  },
]
