/** Icons and logos that feed readers show, in addition to those of the formats. */

import { picture } from './atom.ts'
import type { Vocabulary } from './vocabulary.ts'

export const webfeeds: Vocabulary = { 'webfeeds:icon': picture('icons'), 'webfeeds:logo': picture('images') }
