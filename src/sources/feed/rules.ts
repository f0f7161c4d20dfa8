/** All vocabularies as one table. A new one is a file beside the others and a line here. */
import { atom } from './vocabularies/atom.ts'
import { cdf } from './vocabularies/cdf.ts'
import { contentModule } from './vocabularies/content-module.ts'
import { countingLinks } from './vocabularies/counting-links.ts'
import { dublinCore } from './vocabularies/dublin-core.ts'
import { itunes } from './vocabularies/itunes.ts'
import { media } from './vocabularies/media.ts'
import { persons } from './vocabularies/persons.ts'
import { rss } from './vocabularies/rss.ts'
import { syndication } from './vocabularies/syndication.ts'
import { webfeeds } from './vocabularies/webfeeds.ts'
import { xhtml } from './vocabularies/xhtml.ts'
import type { Rule } from './vocabulary.ts'

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
  syndication,
  webfeeds,
  xhtml,
]
const rules = new Map<string, Rule>(vocabularies.flatMap((vocabulary) => Object.entries(vocabulary)))

export function ruleFor(name: string): Rule | null {
  return rules.get(name) ?? null
}
