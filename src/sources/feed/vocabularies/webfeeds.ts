/** Pictures of a feed for readers, beside those that its format knows. */
import type { Vocabulary } from '../vocabulary.ts'
import { picture } from './atom.ts'

export const webfeeds: Vocabulary = { 'webfeeds:icon': picture('icons'), 'webfeeds:logo': picture('images') }
