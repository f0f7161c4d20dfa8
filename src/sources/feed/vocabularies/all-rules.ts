/** All vocabularies in one table. To add one, write a file beside the others and add a line here. */
import { atom } from './atom.ts'
import { cdf } from './cdf.ts'
import { contentModule } from './content-module.ts'
import { countingLinks } from './counting-links.ts'
import { dublinCore } from './dublin-core.ts'
import { itunes } from './itunes.ts'
import { media } from './media.ts'
import { persons } from './persons.ts'
import { podcasting } from './podcasting.ts'
import { rss } from './rss.ts'
import { syndication } from './syndication.ts'
import type { Rule } from './vocabulary.ts'
import { webfeeds } from './webfeeds.ts'
import { xhtml } from './xhtml.ts'

const vocabularies = [
  rss,
  atom,
  persons,
  cdf,
  contentModule,
  countingLinks,
  dublinCore,
  itunes,
  media,
  podcasting,
  syndication,
  webfeeds,
  xhtml,
]
const rules = new Map<string, Rule>(vocabularies.flatMap((vocabulary) => Object.entries(vocabulary)))

export function ruleFor(name: string): Rule | null {
  return rules.get(name) ?? null
}
