// Every shell block of the docs runs, page by page, as a reader would type it. A `console` block also shows what comes back.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { usePostgres } from '../support/postgres.ts'
import { type Block, blocksOf, readPages } from './pages.ts'
import { type Reader, startReader } from './reader.ts'
import { startWorld, type World } from './world.ts'

/** Pages for people who have a source already: that of example.org. */
const HAS_A_SOURCE = [/^docs\/operations\//, /^docs\/faq\.md$/, /^docs\/storage\.md$/]

/** A block that begins so is the configuration file for what follows on its page. */
const SETTINGS = '# tidings.yaml'

const postgres = usePostgres()
let world: World
before(async () => {
  world = await startWorld(() => postgres.freshDatabase())
})
after(() => world[Symbol.asyncDispose]())

for (const [page, content] of readPages()) {
  const blocks = blocksOf(page, content).filter(({ language, text }) => {
    return language === 'sh' || language === 'console' || text.startsWith(SETTINGS)
  })
  if (blocks.length === 0) continue
  test(`the shell blocks of ${page} run one after another`, async () => {
    await using reader = await startReader(world)
    if (HAS_A_SOURCE.some((pages) => pages.test(page))) await reader.run('tidings add https://example.org/feed')
    for (const block of blocks) {
      await runBlock(reader, block).catch((error) => assert.fail(`${block.place}: ${error.message}`))
    }
  })
}

function runBlock(reader: Reader, { language, text }: Block): Promise<unknown> {
  if (text.startsWith(SETTINGS)) return reader.run(`cat > tidings.yaml <<'END'\n${text}END`)
  return language === 'sh' ? reader.run(text) : runConsole(reader, text)
}

/** `$ command` lines, each with what it prints. A line of `...` stands for lines that do not matter. */
async function runConsole(reader: Reader, text: string): Promise<void> {
  for (const part of text.split(/^\$ /m).slice(1)) {
    const [command = '', ...expected] = part.split('\n')
    const printed = linesOf(await reader.run(`${command} 2>&1`, { terminal: true }))
    const wanted = linesOf(expected.join('\n'))
    const exact = !wanted.includes('...')
    const shown = exact ? printed : printed.filter((line) => wanted.includes(line))
    assert.deepEqual(
      shown,
      wanted.filter((line) => line !== '...'),
      `$ ${command} printed\n${printed.join('\n')}`,
    )
  }
}

/** Numbers, ids and dates differ from day to day, and columns get wider with them. */
function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) =>
    line
      .replaceAll(/\b[0-9a-f]{8}-[0-9a-f-]{4,27}\b/g, '#')
      .replaceAll(/\b\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, '#')
      .replaceAll(/\bnow\b|\b\d+ (?:ms|s)(?: ago)?\b/g, '#')
      .replaceAll(/\d+/g, '#')
      .replaceAll(/[-─]{2,}/g, '--')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )
  return lines.filter((line) => line !== '')
}
