// A store with a million sources and two million posts, and searches among as many posts.
import type { Figure } from '../figures.ts'
import { figureNamed, type Ran } from './child-benchmark.ts'
import type { Part } from './part.ts'
import { type Row, rowWithoutAim, valueRow } from './row.ts'
import { type Group, slowestRow, tooSlow } from './slowest.ts'

export const million: Part = partOn('sqlite', 'SQLite', { name: 'million', minutes: 10 })
export const millionPostgres: Part = partOn('postgres', 'PostgreSQL', { name: 'million-postgres', minutes: 20 })

function partOn(engine: string, title: string, { name, minutes }: Pick<Part, 'name' | 'minutes'>): Part {
  return {
    name,
    about: `1,000,000 sources, and searches in 2,000,000 posts, on ${title}`,
    minutes,
    async *measure({ isQuick, run, note }) {
      const [sources, posts] = isQuick ? ['20000', '40000'] : ['1000000', '2000000']
      const tellTooSlow = (group: Group) => {
        const names = isQuick ? [] : tooSlow(group)
        if (names.length > 0) note(`${group.target}: not under ${group.underMs} ms are ${names.join('; ')}`)
      }
      const named = (rows: readonly Row[]) => rows.map((row) => ({ ...row, target: `${row.target}, ${title}` }))
      if (engine === 'postgres') note('CPU is that of the program and of the server')
      const store = await run({ name: 'million', args: [engine, sources, posts] })
      for (const group of groupsOf(store)) tellTooSlow(group)
      yield* named([...rowsOfServe(store), ...groupsOf(store).map(slowestRow), ...rowsOfCleanUp(store)])
      const searches = await run({ name: 'search', args: [engine, posts] })
      tellTooSlow(searchGroup(searches))
      yield* named(rowsOfSearches(searches))
    },
  }
}

function rowsOfServe(ran: Ran): readonly Row[] {
  const of = (name: string) => figureNamed(ran, name)
  return [
    valueRow(`memory, ${ran.printed.sources} idle sources`, of('memory of serve, idle'), ['under', 160]),
    valueRow('memory after all questions', of('memory of serve, after all questions'), ['under', 160]),
    valueRow('start to /readyz, wall', of('start to /readyz, wall'), ['under', 2000]),
    valueRow('a tick with 1,000 due', of('a tick with 1000 due, lanes awake, CPU'), ['under', 20]),
    valueRow('a tick with none due', of('a tick with none due, CPU'), ['under', 2]),
    rowWithoutAim('a tick that wakes 1,000 lanes', of('a tick that wakes 1000 lanes, CPU')),
  ]
}

function groupsOf(ran: Ran): readonly Group[] {
  const questions = questionsOf(ran)
  const lists = ran.printed.figures.filter(({ name }) => /p99 of \d+, CPU$/.test(name))
  const isStatus = ({ name }: Figure) => name.startsWith('status')
  const isSearch = ({ name }: Figure) => name.startsWith('search')
  const isUnlinked = ({ name }: Figure) => name.startsWith('unlinked')
  const isPage = (figure: Figure) => !isStatus(figure) && !isSearch(figure) && !figure.name.startsWith('metrics')
  return [
    { target: '/status', underMs: 20, figures: questions.filter(isStatus) },
    { target: 'source search', underMs: 50, figures: questions.filter(isSearch) },
    { target: 'any page of any list', underMs: 20, figures: questions.filter(isPage) },
    { target: 'list of posts, p99', underMs: 50, figures: lists.filter((list) => !isUnlinked(list)) },
    { target: 'unlinked posts, p99', underMs: 50, figures: lists.filter(isUnlinked) },
  ]
}

/** CPU of each question, also of second pages. */
function questionsOf(ran: Ran): readonly Figure[] {
  const asked = ran.printed.questions as readonly string[]
  const names = asked.flatMap((name) => [`${name}, CPU`, `${name}, second page, CPU`])
  return ran.printed.figures.filter(({ name }) => names.includes(name))
}

/** Each by its median: the aim is for the p99 of all of them. */
function searchGroup(ran: Ran): Group {
  const names = ran.printed.searches as readonly string[]
  return { target: 'search in posts', underMs: 50, figures: names.map((name) => figureNamed(ran, `${name}, CPU`)) }
}

function rowsOfCleanUp(ran: Ran): readonly Row[] {
  return [
    valueRow('clean-up slice, p99', figureNamed(ran, 'clean-up, a slice, p99, CPU'), ['under', 50]),
    rowWithoutAim('clean-up slice, p99, main thread', figureNamed(ran, 'clean-up, a slice, p99, CPU of main thread')),
  ]
}

function rowsOfSearches(ran: Ran): readonly Row[] {
  return [
    valueRow('search in posts, p99 of all', figureNamed(ran, 'all searches, p99, CPU'), ['under', 50]),
    rowWithoutAim('search in posts, p99 of all, wall', figureNamed(ran, 'all searches, p99, wall')),
    rowWithoutAim('indexing a post', figureNamed(ran, 'indexing a post, CPU')),
  ]
}
