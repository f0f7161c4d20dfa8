/** What may stay in simple HTML, and which elements may not stand directly in which others. */

export type Attributes = Record<string, string>

export interface SimpleRules {
  readonly tags: ReadonlyMap<string, SimpleTag>
  /** Attributes that are dropped when they are empty. */
  readonly nonBoolean: ReadonlySet<string>
  readonly maxDepth: number
}

export interface SimpleTag {
  readonly isVoid: boolean
  /** The attributes that may stay. */
  readonly attributes: ReadonlySet<string>
  /** Those of them that hold an address. */
  readonly addresses: ReadonlySet<string>
  /** Where a class may stay, but not every one: left to the parser. */
  readonly hasClasses: boolean
  /** For a tag whose attributes depend on each other: those to write. null: the tag is left out. */
  readonly rewrite: ((written: Attributes, base: string) => Attributes | null) | null
  /** Open elements that a parser closes before it opens this one. */
  readonly closes: ReadonlySet<string>
}

const HEADINGS = 'h1 h2 h3 h4 h5 h6'
const CLOSES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  (
    [
      ['tr', 'tr th td'],
      ['th', 'th'],
      ['td', 'thead th td'],
      ['a', 'a'],
      ['li', 'li'],
      ['dd dt', 'dd dt'],
      ['rt rp', 'rt rp'],
      ['tbody tfoot', 'thead tbody'],
      [HEADINGS, `${HEADINGS} p`],
      [
        'address article aside blockquote details div dl figcaption figure footer header hr main ol p pre section table ul',
        'p',
      ],
    ] as const
  ).flatMap(([names, closed]) => names.split(' ').map((name) => [name, new Set(closed.split(' '))] as const)),
)
const NONE: ReadonlySet<string> = new Set()

export function closedBy(name: string): ReadonlySet<string> {
  return CLOSES.get(name) ?? NONE
}
