// What reading a document costs: feeds beside other readers, and pages with how much of their text is found.
import { figureNamed, figureOfRounds, type Ran } from './child-benchmark.ts'
import type { Measuring, Part } from './part.ts'
import { type Row, rowWithoutAim, speedRow, valueRow } from './row.ts'

const OWN = 'tidings'
/** The one that ends with the same candidates. */
const JUDGED = 'feedsmith to candidates'

export const readers: Part = {
  name: 'readers',
  about: 'what reading feeds and pages costs, beside other readers',
  minutes: 5,
  async *measure(measuring) {
    const args = measuring.isQuick ? ['2', 'to candidates', '--quick'] : ['5']
    const feeds = await measuring.run({ name: 'feed-reader', args })
    yield* rowsOfFeeds(feeds)
    yield* await rowsOfPages(measuring)
  },
}

function rowsOfFeeds(ran: Ran): readonly Row[] {
  const { documents, readers } = ran.printed as unknown as Record<'documents' | 'readers', readonly string[]>
  return documents.flatMap((document) => {
    const of = (reader: string, what: string) => figureNamed(ran, `${document}: ${reader}, ${what}`)
    const others = readers.filter((reader) => reader !== OWN && reader !== JUDGED)
    const judged = ['mean of a turn', 'first document'].map((what) =>
      speedRow(`${document}, ${what}`, of(OWN, what), of(JUDGED, what), ['at least', 2.5]),
    )
    const warm = of(OWN, 'mean of a turn')
    return [
      ...judged,
      ...others.map((other) => rowWithoutAim(`${document}, beside ${other}`, warm, of(other, 'mean of a turn'))),
    ]
  })
}

async function rowsOfPages({ isQuick, run, note }: Measuring): Promise<readonly Row[]> {
  if (!process.env.PAGE_CORPUS) {
    note(
      'pages: left out, because PAGE_CORPUS names no folder with pages whose text is known (see bench/page-reader.ts)',
    )
    return []
  }
  // Code that has read all pages before is faster, so each round has a new process.
  const rounds: Ran[] = []
  for (let round = 0; round < (isQuick ? 2 : 5); round++) rounds.push(await run({ name: 'page-reader', args: ['1'] }))
  const of = (reader: string, what: string) => figureOfRounds(rounds, `${reader}, ${what}`)
  const [own, plain] = ['Tidings readPage', 'plain Readability']
  return [
    valueRow(`a page, mean of ${rounds[0]?.printed.pages}`, of(own, 'mean'), ['under', 15], of(plain, 'mean')),
    rowWithoutAim('its F1', of(own, 'F1'), of(plain, 'F1')),
  ]
}
