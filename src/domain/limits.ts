// What one user without admin rights may have at most. The numbers are configured (app.limits); this names them.
import { Problem } from './problem.ts'

export type LimitName = 'sources' | 'podcasts' | 'tokens' | 'cursors' | 'webhooks' | 'event-streams' | 'import-rows'

const WHAT: Readonly<Record<LimitName, string>> = {
  sources: 'sources',
  podcasts: 'podcasts',
  tokens: 'tokens',
  cursors: 'cursors',
  webhooks: 'webhooks',
  'event-streams': 'open event streams',
  'import-rows': 'rows in one import',
}

export function limitReached(name: LimitName, most: number): Problem {
  const remedy = name === 'import-rows' ? 'Send the list in parts' : 'Remove some first'
  return new Problem(
    'limit-reached',
    `The limit ${name} is reached: at most ${most} ${WHAT[name]} for a user without admin rights. ${remedy}, or ask an admin to raise app.limits.${name}.`,
  )
}
