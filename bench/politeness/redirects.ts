// Redirects are followed as far as is safe, stored when they are permanent, and never a way around a rule.
import { REDIRECT_CREDENTIALS } from './redirects/credentials.ts'
import { REDIRECTS_FOLLOWED } from './redirects/followed.ts'
import { REDIRECT_LANES } from './redirects/lanes.ts'
import { REDIRECTS_STORED } from './redirects/stored.ts'

export const REDIRECTS = [...REDIRECTS_FOLLOWED, ...REDIRECT_CREDENTIALS, ...REDIRECTS_STORED, ...REDIRECT_LANES]
