// The prompt `briefing`: what is new since a position, grouped by source, for a model to summarise.
import { readInput } from '../catalogue/shapes/validate.ts'
import { MAX_CHARACTERS } from './fit.ts'
import type { Rest } from './rest.ts'
import { newPosts } from './tools/posts.ts'
import { createMarks } from './untrusted.ts'

export const BRIEFING = {
  name: 'briefing',
  title: 'Briefing',
  description: 'What is new, grouped by source',
  arguments: [
    {
      name: 'after',
      description: 'position of an earlier briefing; without it, from the oldest stored post',
      required: false,
    },
  ],
}

interface New {
  readonly items: readonly {
    readonly id: string
    readonly title: string
    readonly url: string
    readonly source: string
    readonly excerpt: string
    readonly publishedAt: string | null
  }[]
  readonly position: string
  readonly complete: boolean
}

export async function briefing(rest: Rest, given: Readonly<Record<string, unknown>>): Promise<string> {
  const wanted = readInput(newPosts.input, { ...given, limit: 100 })
  const { items, position, complete } = (await newPosts.run(rest, wanted)) as unknown as New
  const marks = createMarks()
  const groups = [...Map.groupBy(items, ({ source }) => source)].map(([source, posts]) =>
    [
      `Source: ${source}`,
      ...posts.map(({ id, title, url, excerpt, publishedAt }) =>
        [`- ${title}`, `  id ${id}, ${publishedAt ?? 'undated'}, ${url}`, `  ${excerpt}`].join('\n'),
      ),
    ].join('\n'),
  )
  const task = [
    'Write a short briefing of what is new, grouped by source, and give the URL of each post that you mention.',
    'Say which posts report the same story. get_post reads a whole post by its id.',
    marks.note,
  ]
  const after = complete
    ? `That is everything up to position ${position}. The next briefing starts with after=${position}.`
    : `There is more: go on with after=${position}.`
  const listed = items.length === 0 ? 'Nothing new.' : marks.around(groups.join('\n\n').slice(0, MAX_CHARACTERS - 2000))
  return [...task, listed, after].join('\n')
}
