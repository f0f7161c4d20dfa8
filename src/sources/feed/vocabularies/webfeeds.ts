/** Pictures of a feed for readers, beside those that its format knows. */

import { picture } from './atom.ts'
import type { Vocabulary } from './vocabulary.ts'

export const webfeeds: Vocabulary = { 'webfeeds:icon': picture('icons'), 'webfeeds:logo': picture('images') }
