// Prints what hosts see from Tidings as a table: each promise, what was seen, and whether it is kept.
// Exit 1 when one is not. `npm run politeness -- redirects` looks at the groups or promises with that word only.
// See docs/decisions/0048-politeness-tested-from-the-server-side.md
import { CHECKS } from './politeness/checks.ts'

const SEEN_WIDTH = 72

const [word = ''] = process.argv.slice(2)
const asked = CHECKS.filter(({ group, property }) => `${group} ${property}`.toLowerCase().includes(word.toLowerCase()))
const width = Math.max(...asked.map(({ property }) => property.length))
const row = (property: string, seen: string, verdict: string) =>
  console.log(`${property.padEnd(width)}  ${clipped(seen).padEnd(SEEN_WIDTH)}  ${verdict}`)
let group = ''
let broken = 0

for (const check of asked) {
  if (check.group !== group) {
    group = check.group
    console.log('')
    row(group.toUpperCase(), 'seen', 'verdict')
  }
  const { seen, wanted } = await check.see()
  row(check.property, seen, seen === wanted ? 'kept' : 'BROKEN')
  if (seen === wanted) continue
  broken++
  console.log(`  seen:   ${seen}\n  wanted: ${wanted}`)
}
console.log(`\n${asked.length - broken} of ${asked.length} promises kept`)
process.exitCode = broken > 0 || asked.length === 0 ? 1 : 0

function clipped(text: string): string {
  return text.length <= SEEN_WIDTH ? text : `${text.slice(0, SEEN_WIDTH - 1)}…`
}
