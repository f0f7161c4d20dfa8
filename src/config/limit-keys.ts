// The keys of app.limits: what a user without admin rights may have, and what the whole server accepts.

import type { Key } from './key.ts'
import { wholeNumber } from './kinds.ts'

const MILLION = 1_000_000

function limit(name: string, value: number, about: string): Key {
  return { path: `limits.${name}`, default: value, kind: wholeNumber({ min: 1, max: MILLION }), about }
}

function owned(name: string, value: number, what: string): Key {
  return limit(name, value, `how many ${what} a user without admin rights may have`)
}

export const LIMIT_KEYS: readonly Key[] = [
  owned('sources', 10_000, 'sources'),
  owned('podcasts', 100, 'podcasts'),
  owned('tokens', 100, 'tokens'),
  owned('cursors', 100, 'cursors'),
  owned('webhooks', 100, 'webhooks'),
  owned('event-streams', 20, 'open streams of live events'),
  limit('import-rows', 50_000, 'how many rows one import of a user without admin rights may have'),
  {
    path: 'limits.stored-megabytes',
    default: 10_240,
    kind: wholeNumber({ min: 0, max: 1_000_000_000 }),
    about:
      'how much the posts and articles of a user without admin rights may take in the store; beyond it the sources of that user wait, and nothing is deleted; 0: no limit',
  },
  limit('requests-per-minute', 6000, 'how many requests to the API a user without admin rights may make in a minute'),
  limit(
    'host-requests-per-minute',
    60,
    'how many requests a minute the sources of all users without admin rights together make to one host',
  ),
  limit('connections', 1000, 'how many connections the API holds at once; one address gets at most half of them'),
]
