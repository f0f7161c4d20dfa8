// A poll beside what cannot be avoided.
import { type Figure, figureOf } from '../figures.ts'
import { figureNamed, type Ran } from './child-benchmark.ts'
import type { Part } from './part.ts'
import { type Row, ratioRow, rowWithoutAim, valueRow } from './row.ts'

/** Of GET + gunzip, on the machine for which the aims on PostgreSQL are given. */
const REFERENCE_MS = 0.62

const JUDGED = ['GET + gunzip', 'poll, new', 'indexing', 'GET 304 + row', 'poll, 304']

export const polls: Part = {
  name: 'polls',
  about: 'a poll beside what cannot be avoided, on SQLite and PostgreSQL',
  minutes: 1,
  async *measure({ isQuick, run, note }) {
    const args = isQuick ? ['2', '10'] : ['7', '100']
    const sqlite = await run({ name: 'poll-cost', args })
    yield* rowsOfSqlite(sqlite)
    const postgres = await run({ name: 'poll-cost', args: [...args, '--postgres'] })
    const [own, scale] = [figureNamed(postgres, 'GET + gunzip'), scaleOf(postgres)]
    note(
      `scaled: measured x ${REFERENCE_MS} / ${own.median.toFixed(2)}, because the aims on PostgreSQL are for a machine where GET + gunzip takes ${REFERENCE_MS} ms, and it took ${own.median.toFixed(2)} ms here`,
    )
    yield* rowsOfPostgres(postgres, scale)
  },
}

function rowsOfSqlite(ran: Ran): readonly Row[] {
  const [changed, unchanged] = [figureNamed(ran, 'poll, new'), figureNamed(ran, 'poll, 304')]
  const [get, bare] = [figureNamed(ran, 'GET + gunzip'), figureNamed(ran, 'GET 304 + row')]
  const others = ran.printed.figures.filter(({ name }) => !JUDGED.includes(name))
  return [
    ratioRow('changed feed, all new, SQLite', changed, get, ['at most', 5]),
    ...others.map((other) => rowWithoutAim(`changed feed, all new, SQLite, beside ${other.name}`, changed, other)),
    ratioRow('304, SQLite', unchanged, bare, ['at most', 3]),
    rowWithoutAim('indexing the new posts, SQLite', figureNamed(ran, 'indexing')),
  ]
}

function rowsOfPostgres(ran: Ran, scale: number): readonly Row[] {
  const [changed, unchanged] = [figureNamed(ran, 'poll, new'), figureNamed(ran, 'poll, 304')]
  return [
    rowWithoutAim('304, PostgreSQL, app and server', unchanged),
    valueRow('304, PostgreSQL, app and server, scaled', scaled(unchanged, scale), ['at most', 2.5]),
    rowWithoutAim('changed feed, all new, PostgreSQL, app and server', changed),
    {
      ...valueRow('changed feed, all new, PostgreSQL, app and server, scaled', scaled(changed, scale), ['at most', 10]),
      aim: 'at most 8 to 10 ms',
    },
    rowWithoutAim('indexing the new posts, PostgreSQL, app and server', figureNamed(ran, 'indexing')),
  ]
}

function scaleOf(ran: Ran): number {
  return REFERENCE_MS / figureNamed(ran, 'GET + gunzip').median
}

function scaled({ name, unit, median, least, most, values }: Figure, scale: number): Figure {
  const spread = { median: median * scale, least: least * scale, most: most * scale }
  return {
    ...figureOf(
      `${name}, scaled`,
      unit,
      values.map((value) => value * scale),
    ),
    ...spread,
  }
}
