// Prints a table of the promises to the hosts that Tidings visits: what each host saw, and whether the promise was kept.
// Exits with 1 if one was broken. `npm run politeness -- redirects` runs only the groups or promises with that word.
// See docs/decisions/0048-politeness-tested-from-the-server-side.md
import { CHECKS } from './politeness/checks.ts'

const SEEN_WIDTH = 72

const [word = ''] = process.argv.slice(2)
const selected = CHECKS.filter(({ group, property }) =>
  `${group} ${property}`.toLowerCase().includes(word.toLowerCase()),
)
const width = Math.max(...selected.map(({ property }) => property.length))
const row = (property: string, seen: string, verdict: string) =>
  console.log(`${property.padEnd(width)}  ${truncate(seen).padEnd(SEEN_WIDTH)}  ${verdict}`)
let group = ''
let broken = 0

for (const check of selected) {
  if (check.group !== group) {
    group = check.group
    console.log('')
    row(group.toUpperCase(), 'seen', 'verdict')
  }
  const { seen, expected } = await check.run()
  row(check.property, seen, seen === expected ? 'kept' : 'BROKEN')
  if (seen === expected) continue
  broken++
  console.log(`  seen:     ${seen}\n  expected: ${expected}`)
}
console.log(`\n${selected.length - broken} of ${selected.length} promises kept`)
process.exitCode = broken > 0 || selected.length === 0 ? 1 : 0

function truncate(text: string): string {
  return text.length <= SEEN_WIDTH ? text : `${text.slice(0, SEEN_WIDTH - 1)}…`
}
